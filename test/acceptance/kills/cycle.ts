import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { applyPlan } from "../../../src/engine/apply/apply-plan";
import { createPlan } from "../../../src/engine/plan/create-plan";
import type { RunContext } from "../../../src/engine/stack-run/context";
import { loadConfiguration } from "../../../src/language";
import { createProvider } from "../../../src/provider";
import { type Service, startService } from "../../../src/service";
import type { StateBackend } from "../../../src/state/backends/backend";
import { HttpBackend } from "../../../src/state/backends/http-backend";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { type HttpBackendBlock, httpBackendConfig } from "../../../src/state/storage/http-config";
import { type Ended, Steward } from "../../cli/support/process";
import { ageJournal } from "../../support/age-journal";
import { ADJUSTED, adjusted, configuration, contentOf, FIXTURE, OBJECTS, prior } from "./estate";
import { type Kill, KillingProxy, type Moment } from "./proxy";

export type Command = "apply" | "destroy";
export type Keeping = "local" | "http";

/**
 * A service with the estate, a folder with the configuration of the estate, and a proxy between the commands and the service.
 */
export class Place {
  readonly folder = mkdtempSync(path.join(tmpdir(), "steward-kills-"));
  readonly #keeping: Keeping;
  /** A folder in which a second user has a configuration. */
  readonly other = path.join(this.folder, "other");
  readonly service: Service;
  readonly proxy: KillingProxy;
  readonly #url: string;
  readonly http: HttpBackendBlock;

  private constructor(service: Service, proxy: KillingProxy, url: string, keeping: Keeping) {
    this.service = service;
    this.proxy = proxy;
    this.#url = url;
    this.#keeping = keeping;
    const address = `${service.url}/api/v4/projects/acme%2Fstates/terraform/state/production`;
    this.http = {
      address,
      lock_address: `${address}/lock`,
      unlock_address: `${address}/lock`,
      lock_method: "POST",
      unlock_method: "DELETE",
      username: "root",
      retry_wait_min: 0,
    };
    mkdirSync(this.other);
    this.#declare(configuration);
  }

  #declare(configurationOf: (backend: object) => object): void {
    const backend = this.#keeping === "http" ? { backend: { http: this.http } } : {};
    writeFileSync(path.join(this.folder, "main.tf.json"), JSON.stringify(configurationOf(backend)));
  }

  /**
   * Opens a place in which an earlier version of the configuration was applied. The next apply therefore also renames,
   * forgets and imports objects.
   */
  static async adjusting(keeping: Keeping): Promise<Place> {
    const place = await Place.open(keeping);
    place.#declare(prior);
    const context = place.#context();
    const { diagnostics } = await applyPlan(context, await createPlan(context, undefined), place.#backend());
    if (diagnostics.length > 0) throw new Error(diagnostics.map(({ detail }) => detail).join("\n"));
    place.#declare(adjusted);
    return place;
  }

  static async open(keeping: Keeping): Promise<Place> {
    const service = await startService({ fixture: FIXTURE });
    const proxy = new KillingProxy(service.url);
    return new Place(service, proxy, await proxy.start(), keeping);
  }

  async close(): Promise<void> {
    this.proxy.close();
    await this.service.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs a command until the command ends or is killed. */
  async run(words: readonly string[], kill?: Kill, largestFile?: number): Promise<Ended> {
    const run = this.start(words, largestFile);
    this.proxy.begin(kill && { planned: kill, act: () => run.child.kill("SIGKILL") });
    return run.ended;
  }

  /** Starts a command. */
  start(words: readonly string[], largestFile?: number): Steward {
    const env = {
      TF_VAR_base_url: this.#url,
      TF_VAR_token: this.service.adminToken,
      TF_HTTP_PASSWORD: this.service.adminToken,
    };
    return new Steward([...words, "--config", "."], {
      folder: this.folder,
      env,
      ...(largestFile !== undefined && { largestFile }),
    });
  }

  apply = (command: Command, kill?: Kill) => this.run([command, "--auto-approve"], kill);

  /** Returns the changes of a plan. The plan runs in this process, because the start of a process takes longer. */
  async planned(mode: "normal" | "destroy"): Promise<readonly unknown[]> {
    const state = await this.#backend().read();
    const { changes, diagnostics } = await createPlan(this.#context(), state, mode);
    return [
      ...changes.filter(({ action }) => action !== "no-op").map(({ address }) => address),
      ...diagnostics,
    ];
  }

  #context(): RunContext {
    const given = (text: string) => ({ from: "text", text, origin: "the test" }) as const;
    const provider = createProvider();
    return {
      configuration: loadConfiguration(this.folder),
      variables: { base_url: given(this.service.url), token: given(this.service.adminToken) },
      providers: { [provider.schema.source]: provider },
    };
  }

  #backend(): StateBackend {
    if (this.#keeping === "local") return new LocalBackend(path.join(this.folder, "terraform.tfstate"));
    return new HttpBackend(httpBackendConfig({ ...this.http, password: this.service.adminToken }, {}));
  }

  /** Changes the journal so that the changes of the killed run seem to be one minute older. */
  async age(): Promise<void> {
    const backend = this.#backend();
    // An HTTP backend must read the state before it can write the journal.
    await backend.read();
    await ageJournal(backend.journal);
  }

  /** Returns the number of objects in the saved state. */
  async managed(): Promise<number> {
    return (await this.#backend().read())?.resources.flatMap(({ instances }) => instances).length ?? 0;
  }
}

/** The result of runs without a kill, for comparison with killed runs. */
export interface Reference {
  readonly content: Readonly<Record<Command, Record<string, unknown>>>;
  /** The number of requests up to the last write. */
  readonly lastWrite: Readonly<Record<Command, number>>;
}

export async function undisturbed(keeping: Keeping, open = Place.open): Promise<Reference> {
  const place = await open(keeping);
  try {
    const one = async (command: Command) => {
      const { code, out, err } = await place.apply(command);
      if (code !== 0) throw new Error(`${out}${err}`);
      return { content: await contentOf(place.service), lastWrite: place.proxy.lastWrite };
    };
    const apply = await one("apply");
    const destroy = await one("destroy");
    return {
      content: { apply: apply.content, destroy: destroy.content },
      lastWrite: { apply: apply.lastWrite, destroy: destroy.lastWrite },
    };
  } finally {
    await place.close();
  }
}

/** The moment of a kill; `nowhere` if the run ended before the kill. */
export type Fell = Moment | "after the save" | "nowhere";

/**
 * Returns the differences that remain after the second run. These are the changes of the next plan, and the content of the
 * service if this content differs from the reference. Returns undefined if there are no differences.
 */
export async function wrongIn(place: Place, command: Command, reference: Reference): Promise<unknown> {
  const content = await contentOf(place.service);
  const left = await place.planned(command === "apply" ? "normal" : "destroy");
  const isEqual = JSON.stringify(content) === JSON.stringify(reference.content[command]);
  return isEqual && left.length === 0 ? undefined : { left, ...(isEqual ? {} : { content }) };
}

/**
 * Kills an apply or a destroy, and runs the command again. Returns the moment of the kill, and the rules that the two runs
 * broke.
 */
export async function killOnce(
  place: Place,
  command: Command,
  kill: Kill,
  reference: Reference,
): Promise<{ readonly fell: Fell; readonly wrong: unknown }> {
  const killed = await place.apply(command, kill);
  const fell = killed.code === null ? await whereItFell(place, command, kill, killed) : "nowhere";
  await place.age();
  const again = await place.apply(command);
  const wrong = await wrongIn(place, command, reference);
  const accuses = again.err.includes("without taking its lock");
  if (again.code === 0 && wrong === undefined && !accuses) return { fell, wrong };
  return { fell, wrong: { command, kill, killed: killed.err, again: again.err, ...(wrong as object) } };
}

/**
 * Returns the moment of the kill. If the output reports more completed changes than the saved state contains, the kill came
 * before the save.
 */
async function whereItFell(place: Place, command: Command, { moment }: Kill, { err }: Ended): Promise<Fell> {
  if (moment !== "between answer and save") return moment;
  const told = err.match(/: (Creation|Destruction) complete/g)?.length ?? 0;
  const created = (await place.managed()) - ADJUSTED;
  const saved = command === "apply" ? created : OBJECTS - created;
  return told > saved ? moment : "after the save";
}
