// copy.js: what the page's own copy buttons write, taken before it reaches the system's clipboard
// (which needs focus and permission, and belongs to the user).

// blockButtons pairs the code blocks of an answer with their copy buttons; null for one without.
function blockButtons(root) {
  const found = codeOf(root) === root ? [root] : outerCodes(root);
  return found.map((block) => copyButton(frameOf(block, root)));
}

// frameOf widens a code block to the wrapper that carries its header, and no further.
function frameOf(block, root) {
  let frame = block;
  for (let up = block.parentElement; up && up !== root; up = up.parentElement) {
    if (!root.contains(up) || codeOf(up) === null) break;
    frame = up;
  }
  return frame;
}

function copyButton(frame) {
  const named = frame.querySelector(any(profile.copyButtons));
  if (named) return named;
  const labelled = [...frame.querySelectorAll("button")].filter((button) =>
    profile.copyLabels.includes(button.textContent.trim().toLowerCase()));
  return labelled.length === 1 ? labelled[0] : null;
}

// tap stands in for the clipboard while buttons are pressed.
function tap() {
  const clipboard = navigator.clipboard;
  const written = [];
  const plain = async (items) => (await (await items[0].getType("text/plain")).text());
  const undo = [
    replace(clipboard, "writeText", async (text) => void written.push(String(text))),
    replace(clipboard, "write", async (items) => void written.push(await plain(items))),
    onCopyCommand((text) => written.push(text)),
  ];
  return { written, close: () => undo.forEach((restore) => restore()) };
}

// replace shadows a method and gives back what restores it and verifies the restoration.
function replace(owner, name, value) {
  if (!owner) return () => {};
  const own = Object.getOwnPropertyDescriptor(owner, name);
  const before = owner[name];
  Object.defineProperty(owner, name, { configurable: true, writable: true, value });
  return () => {
    if (own) Object.defineProperty(owner, name, own);
    else delete owner[name];
    if (owner[name] !== before) throw new Error(`clipboard.${name} was not restored`);
  };
}

// onCopyCommand serves pages that fall back to document.execCommand("copy").
function onCopyCommand(take) {
  const listener = (event) => {
    const field = document.activeElement;
    const text = field && "value" in field ? field.value : String(document.getSelection());
    event.preventDefault();
    event.stopImmediatePropagation();
    take(text);
  };
  document.addEventListener("copy", listener, { capture: true });
  return () => document.removeEventListener("copy", listener, { capture: true });
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// press clicks one button and waits, within limits, for what it writes.
async function press(button, written, until) {
  written.length = 0;
  button.click();
  const end = Math.min(until, performance.now() + profile.limits.pressMs);
  await null;
  while (written.length === 0 && performance.now() < end) await pause(20);
  return written.length ? written[0] : null;
}

async function copy({ messageId }) {
  const answer = answerOf(messageId);
  const result = { found: answer !== null, blocks: [], failed: 0 };
  if (!answer) return result;
  if (state.copying) return { ...result, failed: 1 };
  const until = performance.now() + profile.limits.copyMs;
  const clipboard = tap();
  state.copying = true;
  try {
    for (const button of blockButtons(answer.root)) {
      const wrote = button && (await press(button, clipboard.written, until));
      if (wrote === null) result.failed++;
      else result.blocks.push(wrote);
    }
  } finally {
    state.copying = false;
    clipboard.close();
  }
  return result;
}
