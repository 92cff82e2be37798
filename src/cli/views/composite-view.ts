import type { RunView } from "./run-view";

/** One view of which observers are told as well, each after the one before. */
export function compositeView(view: RunView, observers: readonly RunView[]): RunView {
  if (observers.length === 0) return view;
  const all = [view, ...observers];
  const each = (tell: (one: RunView) => void) => {
    for (const one of all) tell(one);
  };
  return {
    stack: (name, count) => each((one) => one.stack(name, count)),
    event: (event) => each((one) => one.event(event)),
    requested: () => each((one) => one.requested()),
    waiting: (wait) => each((one) => one.waiting(wait)),
    settle: () => view.settle(),
    diagnostics: (diagnostics) => each((one) => one.diagnostics(diagnostics)),
    notice: (text) => each((one) => one.notice(text)),
    plan: (plan) => each((one) => one.plan(plan)),
    saved: (file, options) => each((one) => one.saved(file, options)),
    applied: (mode, result) => each((one) => one.applied(mode, result)),
    drift: (report, suppressed) => each((one) => one.drift(report, suppressed)),
    notRepaired: (left) => each((one) => one.notRepaired(left)),
    unmanaged: (found, suppressed) => each((one) => one.unmanaged(found, suppressed)),
    imported: (address, result) => each((one) => one.imported(address, result)),
    async end() {
      for (const one of all) await one.end();
    },
  };
}
