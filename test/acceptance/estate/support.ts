import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Service } from "cdktf-provider-steward/testing";
import { applyPlan } from "../../../src/engine/apply/apply-plan";
import { createPlan } from "../../../src/engine/plan/create-plan";
import type { RunContext } from "../../../src/engine/stack-run/context";
import { loadConfiguration } from "../../../src/language";
import { createProvider, PROVIDER_SOURCE } from "../../../src/provider";
import { LocalBackend } from "../../../src/state/backends/local-backend";

export const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Resources by type and name. */
export type Resources = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** A stack in a separate folder, run by the embedded engine as an administrator of a service. */
export class EstateStack {
  readonly folder = mkdtempSync(path.join(tmpdir(), "steward-estate-"));
  readonly stateFile = path.join(this.folder, "terraform.tfstate");
  readonly #provider = createProvider();
  service: Pick<Service, "url" | "adminToken" | "requests">;

  constructor(service: Pick<Service, "url" | "adminToken" | "requests">) {
    this.service = service;
  }

  /** Replaces the declarations. If `more` configures no provider, the provider uses the administrator's token. */
  declare(resource: Resources, more: object = {}): void {
    const { url: base_url, adminToken: token } = this.service;
    const configuration = {
      terraform: { required_providers: { steward: { source: PROVIDER_SOURCE } } },
      provider: { steward: [{ base_url, token }] },
      resource,
      ...more,
    };
    writeFileSync(path.join(this.folder, "cdk.tf.json"), JSON.stringify(configuration));
  }

  async plan(options: Partial<RunContext> = {}) {
    return createPlan(this.#context(options), await new LocalBackend(this.stateFile).read());
  }

  async apply(options: Partial<RunContext> = {}) {
    const result = await this.tryToApply(options);
    expect(result.diagnostics).toEqual([]);
    return result;
  }

  /** Applies a plan without errors, and returns its result. */
  async tryToApply(options: Partial<RunContext> = {}) {
    const backend = new LocalBackend(this.stateFile);
    const plan = await createPlan(this.#context(options), await backend.read());
    expect(plan.diagnostics).toEqual([]);
    return applyPlan(this.#context(options), plan, backend);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #context(options: Partial<RunContext>): RunContext {
    const configuration = loadConfiguration(this.folder);
    return { configuration, variables: {}, providers: { [PROVIDER_SOURCE]: this.#provider }, ...options };
  }
}
