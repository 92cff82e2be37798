import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { hasErrors } from "../../../../src/diagnostics";
import { type ExecutablePlan, planJson } from "../../../../src/engine";
import { applyPlan } from "../../../../src/engine/apply/apply-plan";
import { createPlan } from "../../../../src/engine/plan/create-plan";
import type { RunContext, VariableInput } from "../../../../src/engine/stack-run/context";
import { loadConfiguration } from "../../../../src/language";
import { createProvider } from "../../../../src/provider";
import { LocalBackend } from "../../../../src/state/backends/local-backend";
import { applySaved, planIn, planText } from "../../../engine/support/saved-plan";
import type { Applied, Declared, Engine, Planned, Request } from "./engine";
import { normalPlan, type PlanDocument } from "./normal-form";

/** Steward's own engine, in this process. */
export class EmbeddedEngine implements Engine {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "differential-"));
  readonly #backend = new LocalBackend(path.join(this.#folder, "terraform.tfstate"));
  #serviceUrl = "";
  #variables: Readonly<Record<string, VariableInput>> = {};
  #planned: { readonly plan: ExecutablePlan; readonly context: RunContext } | undefined;

  declare({ configuration, variables, serviceUrl }: Declared): void {
    this.#serviceUrl = serviceUrl;
    writeFileSync(path.join(this.#folder, "main.tf.json"), JSON.stringify(configuration));
    this.#variables = Object.fromEntries(
      Object.entries(variables).map(([name, json]) => [name, { from: "json", json, origin: "the test" }]),
    );
  }

  plan = (request: Request): Promise<Planned> => this.#plan(request, this.#backend);

  planFrom(state: string, request: Request): Promise<Planned> {
    const file = path.join(this.#folder, "taken-over.tfstate");
    writeFileSync(file, state);
    return this.#plan(request, new LocalBackend(file));
  }

  async #plan(
    { mode = undefined, targets = [], replace = [] }: Request,
    backend: LocalBackend,
  ): Promise<Planned> {
    const provider = createProvider();
    try {
      const context: RunContext = {
        configuration: loadConfiguration(this.#folder),
        variables: this.#variables,
        providers: { [provider.schema.source]: provider },
        ...(targets.length > 0 && { targets }),
        replace,
      };
      const plan = await createPlan(context, await backend.read(), mode ?? "normal");
      if (hasErrors(plan.diagnostics)) return { plan: undefined, refusal: JSON.stringify(plan.diagnostics) };
      this.#planned = { plan, context };
      const { resources, dataSources } = provider.schema;
      const document = planJson(
        plan,
        ({ mode: kind, type }) => (kind === "managed" ? resources : dataSources)[type],
      );
      return { plan: normalPlan(document as PlanDocument, this.#serviceUrl), refusal: "" };
    } catch (problem) {
      return { plan: undefined, refusal: (problem as Error).stack ?? String(problem) };
    }
  }

  async apply(): Promise<Applied> {
    const { plan, context } = this.#planned!;
    const { diagnostics } = await applyPlan(context, plan, this.#backend);
    return { succeeded: !hasErrors(diagnostics), said: JSON.stringify(diagnostics) };
  }

  /** Saves the plan to a file, and applies the plan from this file, as a second process would. */
  async applySaved(): Promise<Applied> {
    const { plan, context } = this.#planned!;
    const { replace: _, ...present } = context;
    const saved = planIn(await planText(context, plan));
    const { refused, result } = await applySaved(saved, present, this.#backend);
    const found = result?.diagnostics ?? refused;
    return { succeeded: !hasErrors(found), said: JSON.stringify(found) };
  }

  state(): string | undefined {
    try {
      return readFileSync(path.join(this.#folder, "terraform.tfstate"), "utf8");
    } catch {
      return undefined;
    }
  }

  writeState(text: string): void {
    writeFileSync(path.join(this.#folder, "terraform.tfstate"), text);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
