import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { writeMirror } from "../../../src/plugin";
import { PROVIDER_SOURCE } from "../../../src/provider";
import { describeFeature } from "../../support/compatibility";
import { type StaticServer, serveFolder } from "../../support/static-server";
import { Company } from "../support/company";
import { PROGRAM } from "../support/plugin-mirror";
import type { Workspace } from "../support/workspace";

jest.setTimeout(180_000);

const HOST = PROVIDER_SOURCE.split("/")[0]!;
const PLATFORMS = ["linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"];
const DATA = 'data "steward_current_user" "this" {}\n';

/** A company that serves a mirror over https, with the provider for all platforms. */
class Installation {
  readonly company: Company;
  readonly server: StaticServer;
  private constructor(company: Company, server: StaticServer) {
    this.company = company;
    this.server = server;
  }

  static async start(program: string): Promise<Installation> {
    const company = await Company.installing(program);
    await writeMirror(company.mirror.folder, {
      programs: new Map(PLATFORMS.map((platform) => [platform, PROGRAM])),
      source: PROVIDER_SOURCE,
      version: company.mirror.version,
    });
    return new Installation(company, await serveFolder(company.mirror.folder));
  }

  /** Returns a workspace that installs the provider from the network mirror. */
  overNetwork(): Workspace {
    const configuration = path.join(this.company.mirror.folder, "network.tfrc");
    const authority = path.join(this.company.mirror.folder, "authority.pem");
    writeFileSync(authority, this.server.authority);
    writeFileSync(
      configuration,
      `provider_installation {\n  network_mirror {\n    url     = "${this.server.url}/"\n` +
        `    include = ["${HOST}/*/*"]\n  }\n  direct {\n    exclude = ["${HOST}/*/*"]\n  }\n}\n`,
    );
    return this.#workspace({ TF_CLI_CONFIG_FILE: configuration, SSL_CERT_FILE: authority });
  }

  fromFolder = (): Workspace => this.#workspace({});

  /** Returns the checksums that the mirror lists for all platforms. */
  hashes(): readonly string[] {
    const { folder, version } = this.company.mirror;
    const { archives } = JSON.parse(
      readFileSync(path.join(folder, PROVIDER_SOURCE, `${version}.json`), "utf8"),
    ) as { archives: Record<string, { hashes: readonly string[] }> };
    return Object.values(archives).flatMap(({ hashes }) => hashes);
  }

  async end(): Promise<void> {
    await this.server.close();
    await this.company.end();
  }

  #workspace(env: Readonly<Record<string, string>>): Workspace {
    const workspace = this.company.workspace(env);
    workspace.write("main.tf", DATA);
    return workspace;
  }
}

/** Returns the checksums in the lock file of a workspace. */
const locked = (workspace: Workspace): readonly string[] =>
  [...workspace.read(".terraform.lock.hcl").matchAll(/"((?:h1|zh):[^"]+)"/g)].map(([, hash]) => hash!);

const asked = PLATFORMS.map((platform) => `-platform=${platform}`);

const installations = new Map<string, Promise<Installation>>();
const installationOf = (program: string): Promise<Installation> => {
  const started = installations.get(program) ?? Installation.start(program);
  installations.set(program, started);
  return started;
};
afterAll(async () => {
  for (const installation of installations.values()) await (await installation).end();
});

describeFeature("filesystem-mirror", ["terraform-1.11", "terraform-1.16", "opentofu-1.12"], (program) => {
  test("`terraform init` installs the provider from a mirror folder, and writes the mirror's checksum into the lock file", async () => {
    const installation = await installationOf(program);
    const workspace = installation.fromFolder();
    await workspace.succeed("init");
    await workspace.plan();
    expect(locked(workspace)).toHaveLength(1);
    expect(installation.hashes()).toEqual(expect.arrayContaining([...locked(workspace)]));
  });
});

describeFeature("network-mirror", ["terraform-1.11", "terraform-1.16", "opentofu-1.12"], (program) => {
  test("`terraform init` installs the provider from a mirror on an https server", async () => {
    const installation = await installationOf(program);
    const workspace = installation.overNetwork();
    const before = installation.server.requested.length;
    await workspace.succeed("init");
    await workspace.plan();
    expect(installation.server.requested.slice(before, before + 2)).toEqual([
      `/${PROVIDER_SOURCE}/index.json`,
      `/${PROVIDER_SOURCE}/${installation.company.mirror.version}.json`,
    ]);
    expect(installation.hashes()).toEqual(expect.arrayContaining([...locked(workspace)]));
  });
});

describeFeature("lock-from-mirror", ["terraform-1.11", "terraform-1.16", "opentofu-1.12"], (program) => {
  test("with -fs-mirror or -net-mirror, `terraform providers lock` writes the checksums of the mirror's packages", async () => {
    const installation = await installationOf(program);
    const { mirror } = installation.company;
    const [workspace, remote] = [installation.fromFolder(), installation.overNetwork()];
    await workspace.succeed("providers", "lock", `-fs-mirror=${mirror.folder}`, ...asked);
    const inFolder = locked(workspace);
    await workspace.succeed("init", "-lockfile=readonly");
    await remote.succeed("providers", "lock", `-net-mirror=${installation.server.url}/`, ...asked);
    expect(locked(remote)).toEqual(expect.arrayContaining([...inFolder]));
    expect(installation.hashes()).toEqual(expect.arrayContaining([...locked(remote)]));
    const without = await workspace.run(["providers", "lock", ...asked], NO_REGISTRY);
    expect(without).toMatchObject({ code: 1 });
    expect(without.output).toContain("failed to request discovery document");
  });

  test("`terraform providers lock` accepts -fs-mirror from TF_CLI_ARGS_providers_lock", async () => {
    const installation = await installationOf(program);
    const workspace = installation.fromFolder();
    const flag = { TF_CLI_ARGS_providers_lock: `-fs-mirror=${installation.company.mirror.folder}` };
    await workspace.succeed("init");
    expect(await workspace.run(["providers", "lock", "-platform=linux_amd64"], flag)).toMatchObject({
      code: 0,
    });
  });
});

/** With this environment, no request of a test leaves this machine: the proxy does not exist. */
const NO_REGISTRY = { HTTPS_PROXY: "http://127.0.0.1:9", TF_REGISTRY_DISCOVERY_RETRY: "0" };
