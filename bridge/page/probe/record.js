// record.js: the conversation as the server has it, read with the page's own credentials. Without
// the bearer token of the session the server masks conversations (404 or empty), it does not say
// 401.

const NO_RECORD = { status: 0, loggedIn: false, found: false, complete: false, messages: [] };

async function record({ conversation: id, after }) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), profile.limits.recordMs);
  const answer = { ...NO_RECORD };
  try {
    const session = await sessionOf(abort.signal, answer);
    if (session) await conversationOf(id, after, session, abort.signal, answer);
  } catch {
    answer.status = 0; // no connection, time is up, or a body that is no JSON: nothing is known
  } finally {
    clearTimeout(timer);
  }
  return answer;
}

async function sessionOf(signal, answer) {
  const response = await fetch("/api/auth/session", { signal, credentials: "same-origin" });
  answer.status = response.status;
  if (!response.ok) return null;
  const session = (await response.json()) ?? {};
  answer.loggedIn = Boolean(session.user);
  return session;
}

async function conversationOf(id, after, session, signal, answer) {
  const headers = session.accessToken ? { Authorization: `Bearer ${session.accessToken}` } : {};
  const path = `/backend-api/conversation/${encodeURIComponent(id)}`;
  const options = { signal, headers, credentials: "same-origin", cache: "no-store" };
  const response = await fetch(path, options);
  answer.status = response.status;
  if (!response.ok) return;
  Object.assign(answer, branch(await response.json(), after));
}

const ROOT = "client-created-root";

// branch walks from the current node to the root. A node that is missing on the way is a gap.
function branch(body, after) {
  const mapping = body?.mapping ?? {};
  const chain = [];
  const seen = new Set();
  let id = body?.current_node;
  while (id && mapping[id] && !seen.has(id)) {
    seen.add(id);
    chain.push(mapping[id]);
    id = mapping[id].parent;
  }
  const complete = chain.length > 0 && (!id || (id === ROOT && !mapping[id]));
  return { complete, ...listed(chain.reverse(), after) };
}

// listed keeps what a person sees; what is skipped stays a link of the chain.
function listed(chain, after) {
  const messages = [];
  let found = !after;
  let parent = "";
  for (const node of chain) {
    const id = node.id ?? node.message?.id;
    if (shown(node.message)) {
      if (found) messages.push(recorded(id, parent, node.message));
      parent = id;
    }
    if (id === after) found = true;
  }
  return { found, messages };
}

const TEXTS = new Set(["text", "multimodal_text"]);

function shown(message) {
  const role = message?.author?.role;
  if (role !== "user" && role !== "assistant") return false;
  if (message.metadata?.is_visually_hidden_from_conversation) return false;
  if (!TEXTS.has(message.content?.content_type)) return false;
  return role === "user" || toAll(message);
}

const toAll = (message) => !message.recipient || message.recipient === "all";

function recorded(id, parent, message) {
  const user = message.author.role === "user";
  return {
    id,
    parent,
    role: message.author.role,
    text: textOf(message.content),
    finished: user || (message.status === "finished_successfully" && message.end_turn === true),
    cut: !user && message.status === "finished_partial_completion",
    final: !user && (!message.channel || message.channel === "final") &&
      message.content.content_type === "text",
  };
}

const textOf = (content) =>
  (content.parts ?? []).filter((part) => typeof part === "string").join("\n");
