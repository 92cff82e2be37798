import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { StateServer } from "../../state/state-server";
import { Stack, thing } from "../support/stack";

describe("terraform_remote_state", () => {
  let base: Stack;
  let stack: Stack;
  beforeEach(async () => {
    base = new Stack({
      resource: { memory_thing: { a: thing("a") } },
      output: {
        text: { value: "${memory_thing.a.id}" },
        list: { value: "${[1, memory_thing.a.name]}" },
        secret: { value: "s", sensitive: true },
      },
    });
    await base.apply();
    stack = new Stack({});
  });
  afterEach(() => {
    base.remove();
    stack.remove();
  });

  const declare = (remote: object, value = "${data.terraform_remote_state.base.outputs}") =>
    stack.declare({
      data: { terraform_remote_state: { base: remote } },
      output: { o: { value } },
    });
  const local = (more: object = {}) => ({ backend: "local", config: { path: base.stateFile }, ...more });
  const output = async () => {
    const { diagnostics, outputs } = await stack.plan();
    expect(diagnostics).toEqual([]);
    return outputs[0]!.after;
  };

  test("returns the outputs of a local state with their stored types", async () => {
    declare(local());
    expect(await output()).toEqual({ text: "a", list: [1, "a"], secret: "s" });
    expect((await stack.apply()).diagnostics).toEqual([]);
    expect((await stack.plan()).hasChanges).toBe(false);
    const kept = (await stack.state())!.resources[0]!;
    expect(kept).toMatchObject({
      mode: "data",
      provider: 'provider["terraform.io/builtin/terraform"]',
      instances: [
        { attributes: { outputs: { value: { text: "a" }, type: ["object", { text: "string" }] } } },
      ],
    });
  });

  test("uses defaults for outputs that are not in the state", async () => {
    const remote = local({ defaults: { text: "lost", other: '${upper("x")}' } });
    declare(
      remote,
      "${data.terraform_remote_state.base.outputs.text}-${data.terraform_remote_state.base.outputs.other}",
    );
    expect(await output()).toBe("a-X");
  });

  test("reads the state of the configured workspace from a path that is relative to the configuration's folder", async () => {
    declare({ backend: "local", config: { path: path.relative(stack.folder, base.stateFile) } });
    expect(await output()).toMatchObject({ text: "a" });
    mkdirSync(path.join(stack.folder, "states", "eu"), { recursive: true });
    copyFileSync(base.stateFile, path.join(stack.folder, "states", "eu", "terraform.tfstate"));
    declare({ backend: "local", workspace: "eu", config: { workspace_dir: "states" } });
    expect(await output()).toMatchObject({ text: "a" });
  });

  test("if the state does not exist, the error contains the path of the state", async () => {
    declare({ backend: "local", config: { path: "/nowhere/terraform.tfstate" } });
    const { applicable, diagnostics } = await stack.plan();
    expect(applicable).toBe(false);
    expect(diagnostics).toMatchObject([
      { code: "remote_state_missing", address: "data.terraform_remote_state.base" },
    ]);
    expect(diagnostics[0]!.detail).toContain("/nowhere/terraform.tfstate");
  });

  test.each([
    ["another backend", { backend: "s3", config: {} }, "remote_state_unsupported"],
    ["a workspace over http", { backend: "http", workspace: "eu" }, "remote_state_unsupported"],
    ["no address", { backend: "http", config: {} }, "state_http_configuration"],
    ["a damaged state", { backend: "local", config: { path: "broken.tfstate" } }, "state_not_json"],
  ])("rejects %s", async (_what, remote, code) => {
    writeFileSync(path.join(stack.folder, "broken.tfstate"), "{");
    declare(remote);
    expect((await stack.plan()).diagnostics).toMatchObject([{ code }]);
  });

  test("reads a state over HTTP without the password in the URL or in a diagnostic", async () => {
    const server = new StateServer();
    await server.start();
    try {
      server.state = readFileSync(base.stateFile, "utf8");
      const config = { address: server.url("/state"), username: "me", password: "a-very-secret-word" };
      declare({ backend: "http", config }, "${data.terraform_remote_state.base.outputs.text}");
      expect(await output()).toBe("a");
      expect(server.requests.map(({ method, url }) => [method, url])).toEqual([["GET", "/state"]]);
      server.mishaps.push(403);
      const { diagnostics } = await stack.plan();
      expect(diagnostics).toMatchObject([{ code: "state_http_refused" }]);
      expect(JSON.stringify(diagnostics)).not.toContain("a-very-secret-word");
    } finally {
      await server.stop();
    }
  });

  test("TF_HTTP_ variables come from the environment of the run, not of the process", async () => {
    const server = new StateServer();
    await server.start();
    try {
      server.state = readFileSync(base.stateFile, "utf8");
      declare({ backend: "http", config: {} }, "${data.terraform_remote_state.base.outputs.text}");
      const planned = await stack.plan("normal", { env: { TF_HTTP_ADDRESS: server.url("/state") } });
      expect([planned.diagnostics, planned.outputs[0]!.after]).toEqual([[], "a"]);
    } finally {
      await server.stop();
    }
  });
});
