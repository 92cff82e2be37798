import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { type Place, TOKENS, usePlace } from "../support/place";

/**
 * The command of the app. It copies the stacks of the stage to the output folder, as if it had synthesized these stacks.
 */
const APP = 'mkdir -p "$CDKTF_OUTDIR" && cp -R "of-${STAGE:-all}/." "$CDKTF_OUTDIR"';

interface Declared {
  readonly backend?: object;
  readonly needs?: readonly string[];
  readonly data?: object;
  readonly output?: object;
  readonly project?: string;
}

/** Writes the app's synthesized files for one stage. */
function declare(place: Place, stage: string, stacks: Readonly<Record<string, Declared>>): void {
  const entries = Object.entries(stacks).map(([name, { backend, needs = [], project, ...blocks }]) => {
    place.write(`of-${stage}/stacks/${name}/cdk.tf.json`, {
      terraform: {
        required_providers: { steward: { source: "registry.steward.example/steward/steward" } },
        ...(backend && { backend: { local: backend } }),
      },
      provider: { steward: [{ base_url: place.service.url, token: TOKENS.maintainer }] },
      ...(project && { resource: { steward_job_token_scope: { limit: { project } } } }),
      ...blocks,
    });
    const workingDirectory = `stacks/${name}`;
    return [name, { name, constructPath: name, workingDirectory, dependencies: needs, annotations: [] }];
  });
  place.write(`of-${stage}/manifest.json`, { version: "0.21.0", stacks: Object.fromEntries(entries) });
}

const place = usePlace("each");
const at = (...names: string[]) => path.join(place.folder, ...names);

beforeEach(() => {
  place.write("cdktf.json", { language: "typescript", app: APP });
});

/** Returns the content and the time of all files, except the files that the synthesis of this stage writes. */
const filesBut = (own: RegExp): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(place.folder, { recursive: true, encoding: "utf8" })
      .filter((name) => !own.test(name) && statSync(at(name)).isFile())
      .map((name) => [name, `${statSync(at(name)).mtimeMs} ${readFileSync(at(name), "latin1")}`]),
  );

describe("the files that a command removes", () => {
  const OF_DEV = /^cdktf\.out\/(?:manifest\.json|\.steward-synthesis\.json|stacks\/dev\/)/;

  beforeEach(async () => {
    const relative = (name: string) => ({ backend: { path: `terraform.${name}.tfstate` } });
    const prod = { ...relative("prod"), project: "acme/shop" };
    const dev = { ...relative("dev"), project: "acme/docs" };
    declare(place, "all", { prod, dev });
    declare(place, "dev", { dev });
    expect(await place.run(["apply", "--auto-approve"])).toMatchObject({ code: 0 });
  });

  test.each(["plan", "validate", "apply --auto-approve", "drift", "state list", "synth"])(
    "if the app is run for another stage, %s does not change the first stage's states and sources",
    async (command) => {
      const before = filesBut(OF_DEV);
      expect(before).toHaveProperty(["cdktf.out/stacks/prod/terraform.prod.tfstate"]);
      expect(await place.run(command.split(" "), { STAGE: "dev" })).toMatchObject({ code: 0 });
      const after = filesBut(OF_DEV);
      // Only the command `synth` removes the files of a stack that the app no longer declares. The command never removes
      // the state next to these files.
      const synthesized = "cdktf.out/stacks/prod/cdk.tf.json";
      if (command === "synth") expect(after).not.toHaveProperty([synthesized]);
      expect({ ...after, [synthesized]: before[synthesized] }).toEqual(before);
    },
  );

  test("if a synthesized file was changed manually, synth does not remove the file", async () => {
    place.write("cdktf.out/stacks/prod/cdk.tf.json", "{}\n");
    await place.run(["synth"], { STAGE: "dev" });
    expect(place.read("cdktf.out/stacks/prod/cdk.tf.json")).toBe("{}\n");
  });

  test("if the record of synthesized files is damaged, synth removes no file", async () => {
    for (const record of [
      "{",
      '{"format_version":"9","files":{}}',
      '{"format_version":"1.0","files":{"../main.tf.json":"x"}}',
    ]) {
      place.write("cdktf.out/.steward-synthesis.json", record);
      await place.run(["synth"], { STAGE: "dev" });
      expect(existsSync(at("cdktf.out/stacks/prod/cdk.tf.json"))).toBe(true);
    }
  });

  test("synth removes the files of a removed stack, even if a plan ran after the removal", async () => {
    await place.run(["plan"], { STAGE: "dev" });
    await place.run(["synth"], { STAGE: "dev" });
    expect(existsSync(at("cdktf.out/stacks/prod/cdk.tf.json"))).toBe(false);
  });
});

describe("the output folder", () => {
  test.each([["validate"], ["plan"], ["synth"]])(
    "if the output folder also contains sources, %s removes no source",
    async (command) => {
      declare(place, "all", { web: { project: "acme/shop" } });
      place.write("stacks/network/index.js", "a source");
      const before = filesBut(/^(?:manifest\.json|\.steward-synthesis\.json|stacks\/web)/);
      expect(await place.run([command!, "--output", "."])).toMatchObject({ code: 0 });
      expect(filesBut(/^(?:manifest\.json|\.steward-synthesis\.json|stacks\/web)/)).toEqual(before);
    },
  );

  test("if the output folder contains a manifest.json of another program, validate fails and leaves the file unchanged", async () => {
    declare(place, "all", { web: { project: "acme/shop" } });
    const manifest = '{"name": "My web app", "icons": []}';
    place.write("manifest.json", manifest);
    const { code, err } = await place.run(["validate", "--output", "."]);
    expect(code).toBe(1);
    expect(err).toContain("Error: Output folder contains another file");
    expect(place.read("manifest.json")).toBe(manifest);
    expect(existsSync(at("stacks"))).toBe(false);
  });

  test("if the output folder contains a manifest of an earlier release, validate succeeds", async () => {
    declare(place, "all", { web: { project: "acme/shop" } });
    place.write("cdktf.out/manifest.json", { version: "0.20.0", stacks: { old: { name: "old" } } });
    expect(await place.run(["validate"])).toMatchObject({ code: 0 });
  });

  test("if the folder of a removed stack is a symbolic link, synth removes nothing in the link's target", async () => {
    declare(place, "all", { web: {}, old: {} });
    declare(place, "new", { web: {} });
    await place.run(["synth"]);
    place.write("elsewhere/cdk.tf.json", place.read("cdktf.out/stacks/old/cdk.tf.json"));
    const { rmSync } = await import("node:fs");
    rmSync(at("cdktf.out/stacks/old"), { recursive: true });
    symlinkSync(at("elsewhere"), at("cdktf.out/stacks/old"));
    await place.run(["synth"], { STAGE: "new" });
    expect(existsSync(at("elsewhere/cdk.tf.json"))).toBe(true);
  });
});

describe("the state of a stack", () => {
  const absolute = () => ({ path: at("terraform.web.tfstate") });

  test("if a state is inside the output folder, plan prints a command that moves the state", async () => {
    declare(place, "all", { web: { project: "acme/shop", backend: { path: "terraform.web.tfstate" } } });
    expect((await place.run(["apply", "--auto-approve"])).code).toBe(0);
    const { code, err } = await place.run(["plan", "--detailed-exitcode"]);
    expect(code).toBe(0);
    expect(err).toContain("Warning: State in the output folder");
    expect(err.replace(/\n│\s*/g, " ")).toContain(
      "mv cdktf.out/stacks/web/terraform.web.tfstate terraform.web.tfstate",
    );
  });

  test("plan gives no warning about a state outside of the output folder", async () => {
    declare(place, "all", { web: { project: "acme/shop", backend: absolute() } });
    expect((await place.run(["plan"])).err).not.toContain("Warning: State in the output folder");
  });

  test("if the declared state path changed and the state was not moved, plan fails and suggests state migrate", async () => {
    declare(place, "all", { web: { project: "acme/shop", backend: { path: "terraform.web.tfstate" } } });
    await place.run(["apply", "--auto-approve"]);
    declare(place, "all", { web: { project: "acme/shop", backend: absolute() } });
    const { code, err } = await place.run(["plan"]);
    expect(code).toBe(1);
    expect(err).toContain("Error: State is in another place");
    const [, command] = /steward (state migrate --state \S+ --to \S+)/.exec(err)!;
    expect(await place.run(command!.split(" "))).toMatchObject({ code: 0 });
    expect(await place.run(["plan", "--detailed-exitcode"])).toMatchObject({ code: 0 });
  });
});

describe("a relative path in a reference to another stack's state", () => {
  const backend = (file: string) => ({ path: file });
  const outputs = {
    seen: { value: "${data.terraform_remote_state.cross-stack-reference-input-base.outputs.id}" },
  };
  const base = (file: string): Declared => ({
    backend: backend(file),
    project: "acme/shop",
    output: { id: { value: "${steward_job_token_scope.limit.id}" } },
  });
  const reader = (file: string, name = "cross-stack-reference-input-base"): Declared => ({
    needs: ["base"],
    backend: backend("own.tfstate"),
    data: { terraform_remote_state: { [name]: { backend: "local", config: { path: file } } } },
    output: JSON.parse(JSON.stringify(outputs).replace("cross-stack-reference-input-base", name)),
  });
  const seen = async () => (await place.run(["output", "--stack", "web", "--raw", "seen"])).out;

  test.each(["cross-stack-reference-input-base", "by_hand"])(
    "Steward resolves a relative path to another stack's state from the other stack's folder (%s)",
    async (name) => {
      declare(place, "all", {
        base: base("terraform.base.tfstate"),
        web: reader("terraform.base.tfstate", name),
      });
      const { code, err } = await place.run(["apply", "--auto-approve"]);
      expect({ code, err: err.includes("Error") }).toEqual({ code: 0, err: false });
      expect(await seen()).toBe("1");
    },
  );

  test("if all stacks have the same relative state path, the name of a reference decides which state it reads", async () => {
    const others = { other: base("own.tfstate") };
    declare(place, "all", { ...others, base: base("own.tfstate"), web: reader("own.tfstate") });
    place.write(
      "of-all/stacks/other/cdk.tf.json",
      place.read("of-all/stacks/other/cdk.tf.json").replace("acme/shop", "acme/docs"),
    );
    expect(await place.run(["apply", "--auto-approve"])).toMatchObject({ code: 0 });
    expect(await seen()).toBe("1");
  });

  test("if two stacks have the same relative state path, apply refuses a reference without a stack's name as ambiguous", async () => {
    const other = { ...base("own.tfstate"), project: "acme/docs" };
    declare(place, "all", { other, base: base("own.tfstate"), web: reader("own.tfstate", "by_hand") });
    const { code, err } = await place.run(["apply", "--auto-approve"]);
    expect(code).toBe(1);
    expect(err).toContain("Error: Ambiguous path of a state");
    expect(err).toContain('The stacks "base" and "other" keep');
  });

  test("if no stack declares the state path of a reference, Steward resolves the path from the referencing stack's folder", async () => {
    declare(place, "all", {
      base: base("terraform.base.tfstate"),
      web: reader("../base/terraform.base.tfstate"),
    });
    expect(await place.run(["apply", "--auto-approve"])).toMatchObject({ code: 0 });
    expect(await seen()).toBe("1");
  });
});
