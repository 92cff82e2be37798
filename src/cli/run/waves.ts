import { type Diagnostic, DiagnosticError, error, hasErrors } from "../../diagnostics";
import {
  type ApplyResult,
  canonicalJson,
  type ExecutablePlan,
  isPlanned,
  type OpenStack,
  type ResourceChange,
} from "../../engine";
import { compareNatural, namesUpTo } from "../../text";
import type { ApplyArguments } from "../arguments/apply";
import { containerOf } from "../printing/own-provider";
import type { RunView } from "../views/run-view";

/** The projects and groups that a plan changes, some at a time: in natural order. */
function wavesOf(plan: Pick<ExecutablePlan, "changes">, size: number): readonly (readonly string[])[] {
  const names = plan.changes.filter(isPlanned).flatMap((change) => containerOf(change)?.name ?? []);
  const sorted = [...new Set(names)].sort(compareNatural);
  return Array.from({ length: Math.ceil(sorted.length / size) }, (_, at) =>
    sorted.slice(at * size, (at + 1) * size),
  );
}

/**
 * Applies a plan that was approved wave by wave. Each wave is planned anew, so it sees what happened meanwhile, and applies
 * nothing but what was approved. What belongs to no project comes last.
 *
 * @returns what all waves did; after a wave with an error the others are not begun, nor is one that has a change that the plan
 * has not (`wave_differs`)
 * @throws DiagnosticError if that is the first one
 */
export async function applyWaves(
  stack: OpenStack,
  view: RunView,
  approved: ExecutablePlan,
  args: ApplyArguments,
): Promise<ApplyResult> {
  const known = new Set(approved.changes.map(keyOf));
  const waves = wavesOf(approved, args.wave!);
  const total = { add: 0, change: 0, remove: 0, import: 0, move: 0 };
  const diagnostics: Diagnostic[] = [];
  let last: ApplyResult | undefined;
  for (const [at, containers] of [...waves, undefined].entries()) {
    await stack.recover();
    const { requests: _, ...plan } = await stack.plan({ ...args, containers });
    const others = plan.changes.filter((change) => isPlanned(change) && !known.has(keyOf(change)));
    if (others.length > 0 && last === undefined) throw new DiagnosticError([differs(others)]);
    if (others.length > 0) {
      diagnostics.push(differs(others));
      break;
    }
    if (containers !== undefined)
      view.notice(`Wave ${at + 1} of ${waves.length}: ${namesUpTo(SHOWN, containers)}.`);
    last = await stack.apply(plan);
    diagnostics.push(...plan.diagnostics.filter(({ severity }) => severity === "error"), ...last.diagnostics);
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += last.done[key] ?? 0;
    if (!hasErrors(diagnostics)) continue;
    if (at + 1 < waves.length)
      view.notice(
        `Stopped after wave ${at + 1} of ${waves.length}: ${waves.slice(at + 1).flat().length} projects were not begun.`,
      );
    break;
  }
  return {
    ...last!,
    diagnostics: diagnostics.filter(({ code }) => code !== "targeting_incomplete"),
    done: total,
  };
}

/** What a wave does to an object, as approved. */
const keyOf = ({ address, action, after, importing }: ResourceChange): string =>
  JSON.stringify([address, action, importing?.id, after === null ? "" : canonicalJson(after)]);

/** How many names a line has. */
const SHOWN = 3;

const differs = (others: readonly ResourceChange[]): Diagnostic =>
  error({
    code: "wave_differs",
    summary: "Wave is not what was approved",
    detail:
      `${others
        .map(({ address }) => address)
        .sort(compareNatural)
        .slice(0, 10)
        .join(", ")}: the plan of this wave has other changes than the plan ` +
      "that was approved, because something changed meanwhile. Nothing of this wave was sent. Plan and apply again.",
  });
