import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ExecutablePlan, PlanMode } from "../../../src/engine";
import { applyPlan } from "../../../src/engine/apply/apply-plan";
import { detectDrift } from "../../../src/engine/drift/detect-drift";
import { createPlan } from "../../../src/engine/plan/create-plan";
import type { RunContext } from "../../../src/engine/stack-run/context";
import { validateConfiguration } from "../../../src/engine/validate/validate-configuration";
import { loadConfiguration } from "../../../src/language";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { MemoryProvider, SOURCE } from "./memory-provider";
import { recovered } from "./recovered";

type Options = Partial<Omit<RunContext, "configuration" | "providers">>;

/** A stack of things in memory. The stack has a state file, a provider, and a configuration that tests can rewrite. */
export class Stack {
  readonly folder = mkdtempSync(path.join(tmpdir(), "steward-engine-"));
  readonly provider = new MemoryProvider();
  readonly stateFile = path.join(this.folder, "terraform.tfstate");

  constructor(configuration: object) {
    this.declare(configuration);
  }

  /** Replaces the configuration. */
  declare(configuration: object): void {
    const terraform = { required_providers: { memory: { source: SOURCE } } };
    writeFileSync(path.join(this.folder, "cdk.tf.json"), JSON.stringify({ terraform, ...configuration }));
  }

  context(options: Options = {}): RunContext {
    const configuration = loadConfiguration(this.folder);
    return { variables: {}, ...options, configuration, providers: { [SOURCE]: this.provider } };
  }

  validate = () => validateConfiguration(this.context());
  plan = async (mode: PlanMode = "normal", options: Options = {}): Promise<ExecutablePlan> =>
    createPlan(this.context(options), await this.state(), mode);
  drift = async () => detectDrift(this.context(), await this.state());
  state = () => new LocalBackend(this.stateFile).read();

  /** Recovers an interrupted run and plans, as the command does. */
  async settleAndPlan(options: Options = {}): Promise<ExecutablePlan> {
    const { state, context } = await recovered(this.context(options), new LocalBackend(this.stateFile));
    return createPlan(context, state);
  }

  /** Plans and applies, as the command does. */
  async apply(mode: PlanMode = "normal", options: Options = {}) {
    const backend = new LocalBackend(this.stateFile);
    const { state, context } = await recovered(this.context(options), backend);
    const plan = await createPlan(context, state, mode);
    return applyPlan(context, plan, backend);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns the actions of a plan by address, without no-ops. */
export const actions = ({ changes }: ExecutablePlan): Record<string, string> =>
  Object.fromEntries(
    changes.filter(({ action }) => action !== "no-op").map(({ address, action }) => [address, action]),
  );

export const thing = (name: string, more: object = {}) => ({ name, ...more });
