import { cpSync } from "node:fs";
import path from "node:path";
import { type FixtureInput, type Service, startService } from "cdktf-provider-steward/testing";
import { type ReattachServer, serveReattach } from "../../../src/plugin";
import { createProvider } from "../../../src/provider";
import { makeMirror, type PluginMirror } from "./plugin-mirror";
import { Workspace } from "./workspace";

const FIXTURE = path.join(__dirname, "../../../examples/quickstart/fixture.yaml");
export const TOKEN = "quickstart-owner-token";

/** Opens a company for all tests of a `describe`. The faults of the company's service are removed after each test. */
export function useCompany(
  engine: string,
  fixture?: FixtureInput,
  open: typeof Company.start = Company.start,
): () => Company {
  let company: Company;
  beforeAll(async () => {
    company = await open(engine, fixture);
  });
  afterEach(() => company.service.faults.clear());
  afterAll(() => company.end());
  return () => company;
}

/** The setup for tests with a real engine: a service with the quickstart's company, and the provider. */
export class Company {
  readonly #engine: string;
  readonly #workspaces: Workspace[] = [];
  #reattached: ReattachServer | undefined;
  #mirror: PluginMirror | undefined;
  #installed: Promise<Workspace> | undefined;
  readonly service: Service;

  private constructor(engine: string, service: Service) {
    this.#engine = engine;
    this.service = service;
  }

  /** Starts a company without a mirror, for the provider in this process (`reattached`). */
  static async start(engine: string, fixture: string | FixtureInput = FIXTURE): Promise<Company> {
    const company = new Company(engine, await startService({ fixture, allowFaults: true }));
    // The data sources read this project, which no test changes.
    await company.http("POST", "/projects/acme%2Fplatform%2Fcluster-config/protected_environments", {
      name: "production",
      deploy_access_levels: [{ access_level: 40 }],
    });
    return company;
  }

  /**
   * Starts a company with a mirror, from which the program installs the provider. Tests of the provider's process
   * need the mirror.
   */
  static async installing(engine: string, fixture?: string | FixtureInput): Promise<Company> {
    const [company, mirror] = await Promise.all([Company.start(engine, fixture), makeMirror()]);
    company.#mirror = mirror;
    return company;
  }

  get mirror(): PluginMirror {
    if (this.#mirror === undefined) throw new Error("This company has no mirror: `Company.installing`.");
    return this.#mirror;
  }

  /** Returns a workspace that starts the provider as a plugin, with a token in the environment. */
  workspace(env: Readonly<Record<string, string>> = {}): Workspace {
    const workspace = new Workspace(this.#engine, {
      ...(this.#mirror && { TF_CLI_CONFIG_FILE: this.#mirror.configuration }),
      STEWARD_BASE_URL: this.service.url,
      STEWARD_TOKEN: TOKEN,
      ...env,
    });
    this.#workspaces.push(workspace);
    return workspace;
  }

  /**
   * Returns a workspace in which the provider is installed. Only the first workspace runs `init`. Later workspaces get
   * copies of the files of the first workspace.
   */
  async initialized(env: Readonly<Record<string, string>> = {}): Promise<Workspace> {
    this.#installed ??= this.#install();
    const { folder } = await this.#installed;
    const workspace = this.workspace(env);
    for (const name of [".terraform", ".terraform.lock.hcl"])
      cpSync(path.join(folder, name), path.join(workspace.folder, name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    return workspace;
  }

  async #install(): Promise<Workspace> {
    const workspace = this.workspace();
    await workspace.succeed("init");
    return workspace;
  }

  /**
   * Opens a workspace whose commands use the provider of this process. No provider is installed or started. The
   * provider's settings are in its HCL `provider` block, because the running provider does not see the environment
   * variables of the commands.
   */
  async reattached(settings = ""): Promise<Workspace> {
    this.#reattached ??= await serveReattach(createProvider());
    const workspace = this.workspace(this.#reattached.env);
    workspace.write(
      "provider.tf",
      `provider "steward" {\n${this.providerSettings(TOKEN)}\n  ${settings}\n}\n`,
    );
    return workspace;
  }

  providerSettings = (token: string): string => `  base_url = "${this.service.url}"\n  token    = "${token}"`;

  /** Sends a manual request as an owner. */
  async http(method: string, place: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.service.url}/api/v4${place}`, {
      method,
      headers: { "private-token": TOKEN, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${place} by hand: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  async end(): Promise<void> {
    for (const workspace of this.#workspaces) workspace.remove();
    this.#mirror?.remove();
    await this.#reattached?.close();
    await this.service.close();
  }
}
