import type { ApplyArguments } from "../../../src/cli/arguments/plan";
import { applyWaves } from "../../../src/cli/commands/apply";
import type { RunView } from "../../../src/cli/views/run-view";
import type { ApplyResult, ExecutablePlan, OpenStack, ResourceChange } from "../../../src/engine";

const change = (project: string, enabled: boolean): ResourceChange =>
  ({
    ...{ address: `steward_job_token_scope.${project}`, mode: "managed", action: "update" },
    ...{ after: { inbound_enabled: enabled }, container: { kind: "project", name: `acme/${project}` } },
  }) as unknown as ResourceChange;
const planOf = (...changes: readonly ResourceChange[]) =>
  ({ changes, applicable: true, diagnostics: [] }) as unknown as ExecutablePlan;

/**
 * Applies an approved plan of two projects, in waves of one project. `plans` contains the plan of the stack for each wave.
 * The key is the project of the wave.
 */
async function apply(plans: Readonly<Record<string, ExecutablePlan>>) {
  const sent: string[] = [];
  const stack = {
    recover: async () => undefined,
    plan: async ({ containers }: { containers?: readonly string[] }) =>
      plans[containers?.[0] ?? "rest"] ?? planOf(),
    apply: async ({ changes }: ExecutablePlan): Promise<Partial<ApplyResult>> => {
      sent.push(...changes.map(({ address }) => address));
      return { diagnostics: [], done: { add: 0, change: changes.length, remove: 0, import: 0, move: 0 } };
    },
  } as unknown as OpenStack;
  const view = { notice: () => undefined } as unknown as RunView;
  const approved = planOf(change("a", true), change("b", true));
  const applied = applyWaves(stack, view, approved, { wave: 1 } as ApplyArguments);
  return { sent, applied };
}

test("if the first wave contains an unapproved change, apply fails and sends no change", async () => {
  const { sent, applied } = await apply({ "acme/a": planOf(change("a", false)) });
  await expect(applied).rejects.toThrow(
    /does not contain these changes of this wave: steward_job_token_scope.a/,
  );
  expect(sent).toEqual([]);
});

test("if the second wave contains an unapproved change, apply stops after the first wave and reports an error", async () => {
  const { sent, applied } = await apply({
    "acme/a": planOf(change("a", true)),
    "acme/b": planOf(change("b", true), change("c", true)),
  });
  expect(await applied).toMatchObject({
    done: { change: 1 },
    diagnostics: [{ code: "wave_differs", detail: expect.stringContaining("steward_job_token_scope.c") }],
  });
  expect(sent).toEqual(["steward_job_token_scope.a"]);
});

test("if an approved change is no longer necessary, apply still sends the other approved changes", async () => {
  const { sent, applied } = await apply({ "acme/a": planOf(), "acme/b": planOf(change("b", true)) });
  expect(await applied).toMatchObject({ done: { change: 1 }, diagnostics: [] });
  expect(sent).toEqual(["steward_job_token_scope.b"]);
});

test("if the second wave's plan has errors, apply stops after the first wave and reports the errors", async () => {
  const problem = { severity: "error", code: "fleet_not_recorded", detail: "It is unknown." };
  const refused = { ...planOf(), applicable: false, diagnostics: [problem] } as unknown as ExecutablePlan;
  const { sent, applied } = await apply({ "acme/a": planOf(change("a", true)), "acme/b": refused });
  expect(await applied).toMatchObject({ done: { change: 1 }, diagnostics: [problem] });
  expect(sent).toEqual(["steward_job_token_scope.a"]);
});
