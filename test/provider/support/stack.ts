import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type DriftReport, type Plan, planRepair } from "../../../src/engine";
import { applyPlan } from "../../../src/engine/apply/apply-plan";
import { detectDrift } from "../../../src/engine/drift/detect-drift";
import { createPlan } from "../../../src/engine/plan/create-plan";
import type { RunContext } from "../../../src/engine/stack-run/context";
import { loadConfiguration } from "../../../src/language";
import { PROVIDER_SOURCE } from "../../../src/provider";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { TOKEN, type World } from "./world";

interface StateFile {
  serial: number;
  resources: {
    type: string;
    name: string;
    instances: {
      schema_version: number;
      deposed?: string;
      status?: string;
      attributes: Record<string, unknown>;
    }[];
  }[];
}

/** A stack of declarations for the world's provider. The embedded engine runs the stack with its own state file. */
export class Stack {
  readonly #world: World;
  readonly #folder = mkdtempSync(path.join(tmpdir(), "steward-stack-"));
  readonly #stateFile = path.join(this.#folder, "terraform.tfstate");

  constructor(world: World, declarations: object) {
    this.#world = world;
    this.declare(declarations);
  }

  /** Replaces the declarations. By default, the provider uses the maintainer's token. */
  declare(declarations: object): void {
    const { url: base_url } = this.#world.service;
    const configuration = {
      terraform: { required_providers: { steward: { source: PROVIDER_SOURCE } } },
      provider: { steward: [{ base_url, token: TOKEN.maintainer, max_attempts: 1 }] },
      ...declarations,
    };
    writeFileSync(path.join(this.#folder, "cdk.tf.json"), JSON.stringify(configuration));
  }

  async plan({ targets = [] }: { readonly targets?: readonly string[] } = {}): Promise<Plan> {
    return createPlan(
      { ...this.#context(), targets },
      await new LocalBackend(this.#stateFile).read(),
      "normal",
    );
  }

  async apply() {
    const backend = new LocalBackend(this.#stateFile);
    const plan = await createPlan(this.#context(), await backend.read(), "normal");
    return applyPlan(this.#context(), plan, backend);
  }

  async drift(options?: Parameters<typeof detectDrift>[2]): Promise<DriftReport> {
    return detectDrift(this.#context(), await new LocalBackend(this.#stateFile).read(), options);
  }

  /** Repairs drift. Returns the addresses of objects that were not repaired, with the reasons. */
  async repair(): Promise<readonly (readonly [address: string, reason: string])[]> {
    const backend = new LocalBackend(this.#stateFile);
    const { drifted } = await this.drift();
    const whole = await createPlan(this.#context(), await backend.read(), "normal");
    const { plan, skipped } = planRepair(whole, drifted);
    const { diagnostics } = await applyPlan(this.#context(), plan, backend);
    expect(diagnostics).toEqual([]);
    return skipped.map(({ address, reason }) => [address, reason]);
  }

  state(): StateFile {
    return JSON.parse(readFileSync(this.#stateFile, "utf8")) as StateFile;
  }

  /** Edits the state file by hand. */
  rewrite(change: (state: StateFile) => void): void {
    const state = this.state();
    change(state);
    writeFileSync(this.#stateFile, JSON.stringify(state));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #context(): RunContext {
    const configuration = loadConfiguration(this.#folder);
    return { variables: {}, configuration, providers: { [PROVIDER_SOURCE]: this.#world.provider } };
  }
}

/** Returns the planned actions by address, without no-ops. */
export const actions = ({ changes }: Plan): Record<string, string> =>
  Object.fromEntries(
    changes.filter(({ action }) => action !== "no-op").map(({ address, action }) => [address, action]),
  );
