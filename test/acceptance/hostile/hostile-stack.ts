import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Diagnostic, DiagnosticError, hasErrors } from "../../../src/diagnostics";
import { applyPlan } from "../../../src/engine/apply/apply-plan";
import { detectDrift } from "../../../src/engine/drift/detect-drift";
import { importObject } from "../../../src/engine/import/import-object";
import { createPlan } from "../../../src/engine/plan/create-plan";
import type { RunContext } from "../../../src/engine/stack-run/context";
import { loadConfiguration } from "../../../src/language";
import { createProvider, PROVIDER_SOURCE } from "../../../src/provider";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { VirtualClock } from "../../api/support/virtual-clock";
import { recovered } from "../../engine/support/recovered";
import {
  addressOf,
  DATA,
  type DataName,
  type Declared,
  KIND_NAMES,
  type KindName,
  kindOf,
  TOKEN,
} from "./estate";

export type Operation = "plan" | "apply" | "drift" | "import";

const provider = createProvider();
/** The provider, in which pauses are skipped so that the tests are fast. */
const PROVIDERS = {
  [PROVIDER_SOURCE]: {
    ...provider,
    configure: (config, run) => provider.configure(config, { ...run, clock: new VirtualClock() }),
  } satisfies typeof provider,
};

/** The diagnostics of a run. `hasChanges` says whether the run found changes. */
export interface Outcome {
  readonly diagnostics: readonly Diagnostic[];
  readonly hasChanges: boolean;
}

/** A stack with objects of the estate. Each stack has its own folder. The runs of a stack work like the commands. */
export class HostileStack {
  readonly folder = mkdtempSync(path.join(tmpdir(), "steward-hostile-"));
  readonly #stateFile = path.join(this.folder, "terraform.tfstate");
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  declare(declared: Declared, data: readonly DataName[], requestTimeout = 30): void {
    const resource = Object.fromEntries(
      KIND_NAMES.flatMap((name) => {
        const variant = declared[name];
        return variant === undefined ? [] : [[kindOf(name).type, { it: kindOf(name).declared[variant] }]];
      }),
    );
    const steward = { base_url: this.#url, token: TOKEN, max_attempts: 3, request_timeout: requestTimeout };
    const configuration = {
      terraform: { required_providers: { steward: { source: PROVIDER_SOURCE } } },
      provider: { steward: [steward] },
      resource,
      data: Object.fromEntries(data.map((name) => [name, { it: DATA[name] }])),
    };
    writeFileSync(path.join(this.folder, "cdk.tf.json"), JSON.stringify(configuration));
  }

  /** The bytes of the state; undefined without a state. */
  get stateText(): string | undefined {
    try {
      return readFileSync(this.#stateFile, "utf8");
    } catch {
      return undefined;
    }
  }

  set stateText(text: string | undefined) {
    if (text === undefined) rmSync(this.#stateFile, { force: true });
    else writeFileSync(this.#stateFile, text);
  }

  /** Returns whether a run left a pending write. The next run then looks for the outcome of the write. */
  get isOpen(): boolean {
    return existsSync(`${this.#stateFile}.journal`);
  }

  /** Returns the types of the objects in the state. Fails if the state is unreadable. */
  async held(): Promise<string[]> {
    const state = await new LocalBackend(this.#stateFile).read();
    return (state?.resources ?? []).flatMap(({ mode, type, instances }) =>
      mode === "managed" && instances.length > 0 ? [type] : [],
    );
  }

  /** Runs an operation like the command does. If the run refuses to start, the diagnostics contain the reason. */
  async run(
    operation: Operation,
    imported?: { readonly name: KindName; readonly id: string },
  ): Promise<Outcome> {
    try {
      return await this.#run(operation, imported);
    } catch (problem) {
      if (!(problem instanceof DiagnosticError)) throw problem;
      return { diagnostics: problem.diagnostics, hasChanges: false };
    }
  }

  async #run(
    operation: Operation,
    imported?: { readonly name: KindName; readonly id: string },
  ): Promise<Outcome> {
    const backend = new LocalBackend(this.#stateFile);
    const configuration = loadConfiguration(this.folder);
    const faults: unknown[] = [];
    const asked: RunContext = {
      configuration,
      variables: {},
      providers: PROVIDERS,
      onFault: (fault) => faults.push(fault),
    };
    const opened = await recovered(asked, backend);
    const { state, context } = opened;
    const done = (diagnostics: readonly Diagnostic[], hasChanges = false): Outcome => {
      if (faults.length > 0) throw faults[0];
      return { diagnostics: [...opened.diagnostics, ...diagnostics], hasChanges };
    };
    if (operation === "drift") return done((await detectDrift(context, state)).diagnostics);
    if (operation === "import") {
      const { name, id } = imported!;
      return done((await importObject(context, backend, addressOf(name), id)).diagnostics);
    }
    const plan = await createPlan(context, state);
    if (operation === "plan" || !plan.applicable || (hasErrors(plan.diagnostics) && !plan.hasChanges))
      return done(plan.diagnostics, plan.hasChanges);
    const result = await applyPlan(context, plan, backend);
    return done([...plan.diagnostics, ...result.diagnostics], plan.hasChanges);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
