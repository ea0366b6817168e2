// The page's own requests to the backend. What the page shows does not come from their answers but
// over the event stream; a bridge that listens to the network sees what the real page would send.

export const documentId = document.querySelector("meta[name=fake-document]").content;

let token = null;

/** bearer fetches the session once; guests have none. */
async function bearer() {
  if (token === null) {
    const response = await fetch("/api/auth/session");
    token = (await response.json()).accessToken ?? "";
  }
  return token;
}

/** forget makes the next request fetch the session anew: somebody logged in or out. */
export function forget() {
  token = null;
}

async function call(method, path, body) {
  const headers = { "Oai-Session-Id": documentId, "Oai-Language": "en-US" };
  const bearerToken = await bearer();
  if (bearerToken) headers.Authorization = `Bearer ${bearerToken}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  return fetch(path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

/** load asks for what the real page asks for when it starts. */
export async function load(conversation) {
  if (!(await bearer())) return;
  await drain(await call("GET", "/backend-api/conversations?offset=0&limit=28&order=updated"));
  if (conversation) await drain(await call("GET", `/backend-api/conversation/${conversation}`));
}

/** send posts one user message, says when the reply has begun, and reads it to its end. */
export async function send(message, replied) {
  await drain(await call("POST", "/backend-api/f/conversation/prepare", { action: "next" }));
  await drain(await call("POST", "/backend-api/sentinel/chat-requirements", {}));
  const response = await call("POST", "/backend-api/f/conversation", message);
  replied(response.status);
  await drain(response);
}

export async function resume(conversation) {
  await drain(
    await call("POST", "/backend-api/f/conversation/resume", {
      conversation_id: conversation,
      offset: 0,
    }),
  );
}

export async function stop(conversation) {
  await drain(
    await call("POST", "/backend-api/stop_conversation", {
      conversation_id: conversation,
      exclude_types: [],
    }),
  );
}

/** drain reads a body to its end, so the connection is free again. */
async function drain(response) {
  const reader = response.body?.getReader();
  while (reader && !(await reader.read()).done);
}
