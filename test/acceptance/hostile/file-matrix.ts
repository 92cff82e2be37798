import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { type FixtureInput, startService } from "../../../src/service";
import { holdingProxy } from "../../cli/support/holding-proxy";
import { CONFIGURATION, openPlace, type Place, TOKENS } from "../../cli/support/place";
import { makePipe } from "../../support/make-pipe";

/** A file to damage, and the commands that read it. */
export interface Target {
  readonly file: string;
  readonly commands: readonly (readonly string[])[];
  readonly env?: Readonly<Record<string, string>>;
  /**
   * True if only Steward writes the file: commands then refuse an irregular file. If this is not set, a user names the
   * file.
   */
  readonly own?: boolean;
  /**
   * Other files next to this file, such as the state next to a journal. Files that are not listed here keep their usual
   * content.
   */
  readonly beside?: Readonly<Record<string, string>>;
  /** True if every command must refuse the file after any damage. */
  readonly sealed?: boolean;
  /**
   * True if the command, such as `steward serve`, runs until it is interrupted. The test interrupts the command as soon as
   * the command listens for requests.
   */
  readonly ends?: boolean;
}

const HERE = ["--config", "."];
/** An app that writes its output to `cdktf.out`. */
const APP = { app: "cp -R app.out/. cdktf.out", output: "cdktf.out", language: "typescript" };
const IGNORED = [
  {
    address: "steward_job_token_scope.limit",
    reason: "It is changed by hand this week.",
    until: "2099-12-31",
  },
];
const FIXTURE: FixtureInput = {
  users: [{ username: "maya", token: "a-token-of-the-fixture" }],
  groups: [{ path: "acme", members: [{ user: "maya", role: "owner" }] }],
  projects: [{ path: "acme/shop", environments: ["production"], topics: ["shop"] }],
};

/** A folder with the state of an apply, and with a sound version of every file that commands read. */
export class FileMatrix {
  readonly place: Place;
  readonly targets: readonly Target[];
  /** The sound contents by name. */
  readonly #sound: ReadonlyMap<string, Buffer>;

  private constructor(place: Place, targets: readonly Target[], sound: ReadonlyMap<string, Buffer>) {
    this.place = place;
    this.targets = targets;
    this.#sound = sound;
  }

  static async open(): Promise<FileMatrix> {
    const place = await openPlace();
    const run = async (...args: string[]) => {
      const { code, out, err } = await place.run(args);
      if (code === 1) throw new Error(`${args.join(" ")}:\n${out}${err}`);
    };
    place.write("main.tf.json", withVariables("${var.inbound}"));
    place.write("terraform.tfvars.json", { inbound: true });
    place.write("more.auto.tfvars.json", { level: 40 });
    place.write("given.tfvars.json", { level: 40 });
    await run("apply", "--auto-approve", ...HERE);
    await run("drift", "--report", "since.json", ...HERE);
    place.write("ignore.yaml", IGNORED);
    const journal = await openJournal(place);
    // The configuration now differs from the state. If a command plans in spite of a damaged file, the plan is not empty,
    // so the test notices the plan.
    place.write("terraform.tfvars.json", { inbound: false });
    await run("plan", "--out", "saved.plan", ...HERE);
    place.write("plan.json", (await place.run(["show", "--json", "saved.plan"])).out);
    place.write("lock.json", lockOf("somebody"));
    place.write("cdktf.json", APP);
    place.write("app.out/manifest.json", MANIFEST);
    place.write("app.out/stacks/shop/cdk.tf.json", withVariables("true"));
    place.write("token.txt", `${TOKENS.maintainer}\n`);
    place.write("fixture.json", FIXTURE);
    place.write("admin.token", "an-administrators-token\n");
    const data = path.join(place.folder, "service.sqlite");
    await (await startService({ data, fixture: FIXTURE })).close();
    const files = FILES.filter((name) => existsSync(path.join(place.folder, name)));
    const sound = new Map(files.map((name) => [name, readFileSync(path.join(place.folder, name))]));
    return new FileMatrix(place, targetsWith(journal), sound);
  }

  /** Restores all files, and writes the files next to a target. */
  restore({ beside = {} }: Target): void {
    const { folder } = this.place;
    for (const name of OTHERS) rmSync(path.join(folder, name), { recursive: true, force: true });
    mkdirSync(path.join(folder, "cdktf.out"));
    for (const [name, bytes] of this.#sound) {
      const file = path.join(folder, name);
      rmSync(file, { recursive: true, force: true });
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
    for (const [name, text] of Object.entries(beside)) writeFileSync(path.join(folder, name), text);
  }

  /** Returns the sound content of a target. */
  soundOf({ file, beside = {} }: Target): Buffer {
    const text = beside[file];
    return text === undefined ? this.#sound.get(file)! : Buffer.from(text);
  }

  write({ file }: Target, bytes: Buffer): void {
    writeFileSync(path.join(this.place.folder, file), bytes);
  }

  /** Replaces a file by an irregular file, such as a folder or a pipe. */
  putKind({ file }: Target, kind: Kind): void {
    const at = path.join(this.place.folder, file);
    rmSync(at, { recursive: true, force: true });
    if (kind === "folder") mkdirSync(at);
    else if (kind === "pipe") makePipe(at);
    else
      symlinkSync({ "link to nothing": "nowhere", "link to itself": at, "link to a folder": "." }[kind], at);
  }

  /** Returns the contents of the files that no failed command may change. The value of a missing file is undefined. */
  contents(): Readonly<Record<string, string | undefined>> {
    const names = ["terraform.tfstate", "terraform.tfstate.backup", "saved.plan", "main.tf.json"];
    return Object.fromEntries(names.map((name) => [name, contentAt(path.join(this.place.folder, name))]));
  }

  close(): Promise<void> {
    return this.place.close();
  }
}

export const KINDS = ["folder", "pipe", "link to nothing", "link to itself", "link to a folder"] as const;
export type Kind = (typeof KINDS)[number];

const withVariables = (inbound: string) => ({
  ...CONFIGURATION,
  variable: { inbound: { type: "bool", default: true }, level: { type: "number", default: 40 } },
  resource: {
    ...CONFIGURATION.resource,
    steward_job_token_scope: {
      limit: { ...CONFIGURATION.resource.steward_job_token_scope.limit, inbound_enabled: inbound },
    },
    steward_protected_environment: {
      production: {
        ...CONFIGURATION.resource.steward_protected_environment.production,
        deploy_access_levels: [{ access_level: "${var.level}" }],
      },
    },
  },
});

const MANIFEST = {
  version: "0.21.0",
  stacks: {
    shop: {
      name: "shop",
      constructPath: "shop",
      synthesizedStackPath: "stacks/shop/cdk.tf.json",
      workingDirectory: "stacks/shop",
      annotations: [],
      dependencies: [],
    },
  },
};

const lockOf = (who: string) => ({
  ID: "0a1b2c3d-0000-4000-8000-000000000000",
  Operation: "OperationTypeApply",
  Info: "",
  Who: `${who}@another-host`,
  Version: "1.11.4",
  Created: "2026-01-01T00:00:00.000Z",
  Path: "terraform.tfstate",
});

const JOURNAL = "terraform.tfstate.journal";
const LOCK = ".terraform.tfstate.lock.info";
const FILES = [
  "main.tf.json",
  "terraform.tfstate",
  "terraform.tfvars.json",
  "more.auto.tfvars.json",
  "given.tfvars.json",
  "since.json",
  "ignore.yaml",
  "saved.plan",
  "plan.json",
  "cdktf.json",
  "app.out/manifest.json",
  "app.out/stacks/shop/cdk.tf.json",
  "token.txt",
  "fixture.json",
  "admin.token",
  "service.sqlite",
];
/** Files that a case may create. `restore` removes them. */
const OTHERS = [
  JOURNAL,
  LOCK,
  "cdktf.out",
  "terraform.tfstate.backup",
  "terraform.shop.tfstate",
  ".terraform.shop.tfstate.lock.info",
  "service.sqlite-wal",
  "service.sqlite-shm",
  "report.json",
];

interface Told extends Omit<Target, "commands" | "beside"> {
  readonly commands: readonly string[];
  readonly beside?: true;
}

/** Returns the targets of targets.yaml, with the files next to each target. */
function targetsWith(journal: string): readonly Target[] {
  const beside: Readonly<Record<string, string>> = {
    [JOURNAL]: journal,
    [LOCK]: JSON.stringify(lockOf("somebody")),
    "report.json": "{}",
  };
  const told = parse(readFileSync(path.join(__dirname, "targets.yaml"), "utf8")) as Told[];
  return told.map(({ commands, beside: isBeside, ...target }) => ({
    ...target,
    commands: commands.map((command) => command.split(" ")),
    ...(isBeside && { beside: { [target.file]: beside[target.file]! } }),
  }));
}

/** Returns the journal of an apply that has sent its first write but has no response yet. */
async function openJournal(place: Place): Promise<string> {
  place.write("terraform.tfvars.json", { inbound: false });
  const proxy = await holdingProxy(place.service.url);
  try {
    const applied = place.run(["apply", "--auto-approve", ...HERE], { STEWARD_BASE_URL: proxy.url });
    await proxy.holds;
    const journal = place.read(JOURNAL);
    proxy.release();
    await applied;
    place.write("terraform.tfvars.json", { inbound: true });
    const { code, err } = await place.run(["apply", "--auto-approve", ...HERE]);
    if (code !== 0) throw new Error(err);
    return journal;
  } finally {
    proxy.close();
  }
}

/** Returns the text of a file, or the kind of an irregular file. */
function contentAt(file: string): string | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  return found.isFile() ? readFileSync(file, "latin1") : String(found.mode);
}
