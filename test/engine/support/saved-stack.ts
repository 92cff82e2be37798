import { type Plan, type PlanMode, readRecord } from "../../../src/engine";
import { createPlan } from "../../../src/engine/plan/create-plan";
import {
  checkConfiguration,
  checkState,
  checkVariables,
  contextFor,
} from "../../../src/engine/plan-file/basis";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { applySaved, planIn, planText } from "./saved-plan";
import { Stack } from "./stack";

/** A stack whose plans are saved to a file and applied from this file. */
export class SavedStack extends Stack {
  schemaOf = ({ mode, type }: { mode: "managed" | "data"; type: string }) =>
    (mode === "managed" ? this.provider.schema.resources : this.provider.schema.dataSources)[
      type as "memory_thing" & "memory_lookup"
    ];

  /** Returns the requests to the provider since the last call. */
  asked = () => this.provider.asked.splice(0);

  recordOf = (text: string) => readRecord(planIn(text).record, this.context().providers);

  /** Creates a plan. Returns the plan itself, and the text of its file. */
  async save(context = this.context(), mode: PlanMode = "normal", more: Partial<Plan> = {}) {
    const plan = { ...(await createPlan(context, await this.state(), mode)), ...more };
    const text = await planText(context, plan);
    this.asked();
    return { plan, text };
  }

  /** Applies a plan from its file only, as another process would do. */
  async applyFile({ text }: { readonly text: string }, context = this.context()) {
    const saved = planIn(text);
    const present = contextFor(saved, context);
    const backend = new LocalBackend(this.stateFile);
    const state = await backend.read();
    expect([
      ...checkState(saved, state, "the state"),
      ...checkConfiguration(saved, present),
      ...checkVariables(saved, present),
    ]).toEqual([]);
    const { refused, plan, result } = await applySaved(saved, context, backend);
    return { refused, told: plan?.diagnostics ?? [], ...result };
  }
}
