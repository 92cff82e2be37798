import type { RunView } from "./run-view";

/** A view that forwards each call to the observers too. */
export function compositeView(view: RunView, observers: readonly RunView[]): RunView {
  if (observers.length === 0) return view;
  const all = [view, ...observers];
  const each = (call: (one: RunView) => void) => {
    for (const one of all) call(one);
  };
  return {
    shard: (shard) => each((one) => one.shard(shard)),
    stack: (name, count) => each((one) => one.stack(name, count)),
    event: (event) => each((one) => one.event(event)),
    requested: () => each((one) => one.requested()),
    waiting: (wait) => each((one) => one.waiting(wait)),
    stopProgress: () => view.stopProgress(),
    diagnostics: (diagnostics) => each((one) => one.diagnostics(diagnostics)),
    notice: (text) => each((one) => one.notice(text)),
    plan: (plan) => each((one) => one.plan(plan)),
    saved: (file, options) => each((one) => one.saved(file, options)),
    toApprove: (written) => each((one) => one.toApprove(written)),
    applied: (mode, result) => each((one) => one.applied(mode, result)),
    drift: (report, suppressed) => each((one) => one.drift(report, suppressed)),
    notRepaired: (left) => each((one) => one.notRepaired(left)),
    unmanaged: (found, suppressed) => each((one) => one.unmanaged(found, suppressed)),
    imported: (address, result) => each((one) => one.imported(address, result)),
    waivers: (used) => each((one) => one.waivers(used)),
    async end() {
      for (const one of all) await one.end();
    },
  };
}
