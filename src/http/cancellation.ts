type Callback = () => void;

const waiting = new WeakMap<AbortSignal, Set<Callback>>();

/**
 * Calls back when the signal fires; the returned function removes the callback.
 *
 * Thousands of calls may share one signal, and removing one of many EventTarget listeners scans all of them:
 * each signal gets a single listener here, with a set behind it.
 */
function onAbort(signal: AbortSignal, callback: Callback): () => void {
  let callbacks = waiting.get(signal);
  if (!callbacks) {
    const created = new Set<Callback>();
    const callAll = () => {
      for (const each of created) each();
    };
    signal.addEventListener("abort", callAll, { once: true });
    waiting.set(signal, created);
    callbacks = created;
  }
  const known = callbacks;
  known.add(callback);
  return () => known.delete(callback);
}

/** Calls back once, when the first of the signals fires. */
export function onAnyAbort(signals: readonly AbortSignal[], callback: Callback): () => void {
  const removals = signals.map((signal) => onAbort(signal, callback));
  return () => {
    for (const remove of removals) remove();
  };
}
