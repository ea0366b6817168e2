// probe.js: the names that a bridge calls. It is the last part of the script (see source.go) and
// the only one that touches the global object. State outlives a newer version of the script: the
// document keeps its name and its fence.

state.judge = judge;

Object.defineProperty(globalThis, "__bridge", {
  configurable: true,
  enumerable: false,
  value: Object.freeze({
    version,
    state,
    hello,
    guard,
    composer: composerState,
    focus,
    empty,
    fence,
    revoke,
    unfence,
    tail,
    turn,
    text,
    copy,
    record,
  }),
});
