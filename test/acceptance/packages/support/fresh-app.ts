import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Library, packageFor, ROOT, run } from "./packed";

/** An app that imports every entry of the package. */
const app = (library: Library) => `import { App, TerraformStack } from "${library}";
import { AccessLevel, JobTokenScope, ProtectedEnvironment, StewardProvider } from "${packageFor(library)}";
import { createClient } from "${packageFor(library)}/api";
import { type EngineOptions, plan } from "${packageFor(library)}/engine";
import { providerOf } from "${packageFor(library)}/framework";
import { createProvider } from "${packageFor(library)}/provider";
import { startService } from "${packageFor(library)}/testing";

export const options: EngineOptions = { providers: [createProvider()] };
export const used = [createClient, plan, providerOf, startService];
const app = new App();
const stack = new TerraformStack(app, "web");
new StewardProvider(stack, "steward");
const project = "acme/web-shop";
new JobTokenScope(stack, "limit", { project, inboundEnabled: true });
const deployAccessLevels = [{ accessLevel: AccessLevel.MAINTAINER }];
new ProtectedEnvironment(stack, "production", { project, name: "production", deployAccessLevels });
app.synth();
`;

const TOKEN = "administrator-token-of-a-test";

/** Returns a program that starts the embedded service of the package, and requests the token's user. */
const service = (library: Library) => `
const { startService } = require("${packageFor(library)}/testing");
startService({ adminToken: "${TOKEN}" }).then(async (service) => {
  const { status } = await fetch(service.url + "/api/v4/user", { headers: { "PRIVATE-TOKEN": "${TOKEN}" } });
  await service.close();
  console.log("the service answers", status);
});
`;

const COMPILER_OPTIONS = {
  module: "nodenext",
  target: "es2022",
  strict: true,
  skipLibCheck: false,
  types: ["node"],
};

/** The newest release of TypeScript that Yarn can patch for Plug'n'Play. */
const TYPESCRIPT = "typescript@5";
/** The newest `constructs` version that each library supports. */
const CONSTRUCTS: Readonly<Record<Library, string>> = { cdktf: "constructs@10", cdktn: "constructs@~10.7" };

/** The commands with which a package manager installs packages and runs programs. */
export interface Manager {
  /** The program and the first arguments of the install command. The package names follow. */
  readonly install: readonly [program: string, ...words: string[]];
  /**
   * The words before a command of an installed package, such as `yarn exec`. By default, commands come from
   * `node_modules/.bin`.
   */
  readonly exec?: readonly [program: string, ...words: string[]];
  /**
   * Whether the package manager must patch Node and TypeScript so that they find packages. The app then installs its own
   * compiler, because the package manager can patch only this compiler.
   */
  readonly isPatched?: boolean;
  /** Matches the lines that warn of a problem. */
  readonly warning?: RegExp;
  /** Files that the folder contains before the installation. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: NodeJS.ProcessEnv;
}

/** A new app of a user, in an empty folder. */
export class FreshApp {
  readonly #manager: Manager;

  constructor(
    readonly folder: string,
    readonly library: Library,
    manager: Manager,
  ) {
    this.#manager = manager;
    mkdirSync(folder, { recursive: true });
    this.#write({
      "main.ts": app(library),
      "service.cjs": service(library),
      "tsconfig.json": JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ["main.ts"] }),
      "cdktf.json": JSON.stringify({
        language: "typescript",
        app: "node main.js",
        sendCrashReports: "false",
      }),
      ...manager.files,
    });
  }

  /**
   * Installs the package, its library and the other packages that an app in TypeScript needs. Returns the output of the
   * package manager.
   */
  install(tarball: string): Promise<string> {
    const { install, isPatched = false } = this.#manager;
    const [program, ...words] = install;
    const compiler = isPatched ? [TYPESCRIPT] : [];
    const others = [this.library, CONSTRUCTS[this.library], "@types/node@20", ...compiler];
    return this.#run(program, [...words, `${packageFor(this.library)}@file:${tarball}`, ...others]);
  }

  /** Uses the installed packages of another app. */
  useInstalled(folder: string): void {
    symlinkSync(path.join(folder, "node_modules"), path.join(this.folder, "node_modules"));
  }

  /** Compiles the app with the compiler of this repository, or with the compiler that the app installed. */
  compile(): Promise<string> {
    if (this.#manager.isPatched) return this.command("tsc", ["-p", "."]);
    return this.#run(path.join(ROOT, "node_modules/.bin/tsc"), ["-p", "."]);
  }

  node(file: string): Promise<string> {
    return this.command("node", [file]);
  }

  /** Runs a command of an installed package, or `node`. */
  command(name: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { exec } = this.#manager;
    if (exec !== undefined) return this.#run(exec[0], [...exec.slice(1), name, ...words], env);
    const program = name === "node" ? name : path.join(this.folder, "node_modules/.bin", name);
    return this.#run(program, words, env);
  }

  async #run(program: string, words: readonly string[], given: NodeJS.ProcessEnv = {}): Promise<string> {
    const env = { ...process.env, ...this.#manager.env, ...given };
    const { stdout, stderr } = await run(program, words, { cwd: this.folder, env });
    return `${stdout}${stderr}`;
  }

  #write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(this.folder, name), text);
  }
}

/** Returns the lines that warn of a problem, except npm's messages about the settings of this machine. */
export const warningsOf = (printed: string, warning = /warn|deprecat|ERESOLVE|EBADENGINE/i): string[] =>
  printed
    .split("\n")
    .filter((line) => warning.test(line))
    .filter((line) => !/Unknown (user|env|project) config/.test(line));
