import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createFlagProvider } from "../../../examples/another-provider/provider";
import { FlagService } from "../../../examples/another-provider/service";
import { serveReattach } from "../../../src/plugin";
import { describeWith } from "../../support/capabilities";
import { holdingProxy } from "../support/holding-proxy";
import { runInProcess } from "../support/in-process";
import { CONFIGURATION, openPlace, type Place, TOKENS } from "../support/place";

// Each test starts processes. On a loaded machine, this takes long.
jest.setTimeout(180_000);

const FLAGS = createFlagProvider().schema.source;

/** Starts a server for the http backend. The server keeps one state in memory. */
function stateServer(): Server {
  let state = "";
  return createServer(async (request, response) => {
    if (request.method === "POST") state = await text(request);
    response.statusCode = request.method === "GET" && state === "" ? 404 : 200;
    response.end(request.method === "GET" ? state : "");
  });
}

const TEST_FILE = `run "limits" {
  command = apply
  assert {
    condition     = steward_job_token_scope.limit.inbound_enabled
    error_message = "The scope is not limited."
  }
}
`;

for (const capability of ["terraform", "tofu"] as const) {
  describeWith(capability, `exec -- ${capability}`, (program) => {
    let place: Place;
    beforeEach(async () => {
      place = await openPlace();
    });
    afterEach(() => place.close());

    /** Runs `steward exec`. Fails if any output contains the token. */
    async function exec(args: readonly string[], env: Record<string, string> = {}) {
      const ended = await place.start(["exec", "--", program, ...args], { TF_IN_AUTOMATION: "1", ...env })
        .ended;
      expect(`${ended.out}${ended.err}`).not.toContain(TOKENS.maintainer);
      return ended;
    }

    test("under steward exec, `terraform plan`, `apply`, `test` and `destroy` succeed without `terraform init`", async () => {
      const planned = await exec(["plan", "-detailed-exitcode", "-no-color"]);
      expect(planned).toMatchObject({ code: 2, err: "" });
      expect(planned.out).toContain("Plan: 3 to add, 0 to change, 0 to destroy.");
      const applied = await exec(["apply", "-auto-approve", "-no-color"], { TF_LOG: "trace" });
      expect(applied.code).toBe(0);
      expect(applied.out).toContain("Resources: 3 added, 0 changed, 0 destroyed.");
      expect(applied.err.length).toBeGreaterThan(10_000);
      expect(place.read("terraform.tfstate")).not.toContain(TOKENS.maintainer);
      // The embedded engine plans no changes with the state that the other engine wrote.
      expect((await place.run(["plan", "--detailed-exitcode", "--config", "."])).code).toBe(0);
      expect((await exec(["destroy", "-auto-approve", "-no-color"])).out).toContain("3 destroyed.");
      // `terraform test` applies to a separate state, and destroys the objects at the end.
      place.write("main.tftest.hcl", TEST_FILE);
      expect((await exec(["test", "-no-color"])).out).toContain("1 passed, 0 failed.");
    });

    test("under steward exec, apply succeeds with an http backend and a second provider in TF_REATTACH_PROVIDERS", async () => {
      const states = stateServer().listen(0, "127.0.0.1");
      const flags = new FlagService();
      const address = await flags.start();
      const space = flags.addSpace("web-shop");
      const reattached = await serveReattach(createFlagProvider());
      place.write("main.tf.json", {
        ...CONFIGURATION,
        terraform: {
          backend: { http: { address: `http://127.0.0.1:${(states.address() as AddressInfo).port}/state` } },
          required_providers: { ...CONFIGURATION.terraform.required_providers, flags: { source: FLAGS } },
        },
        provider: { ...CONFIGURATION.provider, flags: [{ address, token: "flags-token" }] },
        resource: {
          ...CONFIGURATION.resource,
          flags_flag: { checkout: { space: "web-shop", name: "checkout", enabled: true } },
        },
      });
      const env = { ...reattached.env };
      const needsInit = await exec(["plan", "-no-color"], env);
      expect(needsInit.code).toBe(1);
      expect(needsInit.err).toContain("initialization required");
      expect(await exec(["init", "-no-color"], env)).toMatchObject({ code: 0, err: "" });
      const applied = await exec(["apply", "-auto-approve", "-no-color"], env);
      expect(applied.out).toContain("Resources: 4 added, 0 changed, 0 destroyed.");
      expect([...space.flags.keys()]).toEqual(["checkout"]);
      expect((await exec(["plan", "-detailed-exitcode"], env)).code).toBe(0);
      await reattached.close();
      await flags.stop();
      states.close();
      states.closeAllConnections();
    });

    test("the report of Terraform's plan and the report of Steward's plan contain the same objects", async () => {
      place.write("main.tf.json", {
        ...CONFIGURATION,
        resource: {
          ...CONFIGURATION.resource,
          terraform_data: { other: { input: '${sensitive("hidden-value-1234")}', triggers_replace: ["a"] } },
        },
      });
      expect((await exec(["plan", "-out=plan.out"])).code).toBe(0);
      const { out } = await exec(["show", "-json", "plan.out"]);
      place.write("plan.json", out);
      const reports = ["theirs.json", "theirs.md"].flatMap((file) => ["--report", file]);
      const ended = await place.run([
        "report",
        "--plan-json",
        "plan.json",
        "--detailed-exitcode",
        ...reports,
      ]);
      expect(ended.code).toBe(2);
      expect([ended.out, ended.err, place.read("theirs.json"), place.read("theirs.md")].join("")).not.toMatch(
        new RegExp(`hidden-value-1234|${TOKENS.maintainer}`),
      );
      // The embedded engine plans without a refresh. With a refresh, the engine would also report live values that new
      // settings replace. Terraform does not report these values.
      await place.run(["plan", "--config", ".", "--refresh=false", "--report", "own.json"]);
      // Returns the objects of a report, without the construct and the URL of each object. A report about Terraform's plan
      // contains no constructs and no URLs.
      const objectsIn = (file: string) =>
        JSON.parse(place.read(file)).stacks[0].objects.map(
          ({ construct: _, url: __, ...object }: { construct: string; url: string }) => object,
        );
      expect(objectsIn("theirs.json")).toEqual(objectsIn("own.json"));
      const limited = await place.run(["report", "--plan-json", "plan.json", "--max-changes", "3"]);
      expect(limited.code).toBe(1);
      expect(limited.err).toContain("would change 4 objects");
    });

    test("without a configuration, drift --state reads Terraform's state and repairs manual changes", async () => {
      expect((await exec(["apply", "-auto-approve"])).code).toBe(0);
      const shop = "/projects/acme%2Fshop";
      const pulled = (await exec(["state", "pull"])).out;
      const drift = (...args: string[]) =>
        runInProcess(["drift", "--state", "-", ...args], {
          folder: place.folder,
          env: place.env,
          input: pulled,
        });
      expect(await drift()).toMatchObject({ code: 0, err: "" });
      await place.byHand("PATCH", `${shop}/job_token_scope`, { enabled: false });
      const rules = { approval_rules: [{ access_level: 40, required_approvals: 1 }] };
      await place.byHand("PUT", `${shop}/protected_environments/production`, rules);
      const found = await drift();
      expect(found.code).toBe(2);
      expect(found.out).toContain("~ inbound_enabled = true -> false");
      expect(found.out).not.toContain("not known to be declared");
      // Only one object counts as drifted. The configuration does not declare `approval_rules`, so the change of these
      // rules is not drift.
      expect(found.out).toContain("Drift: 1 changed, 0 vanished");
      expect((await drift("--repair", "--auto-approve")).code).toBe(0);
      expect((await exec(["plan", "-detailed-exitcode"])).code).toBe(0);
    });

    test("under steward exec, apply saves the state in the file of a local backend", async () => {
      place.write("main.tf.json", {
        ...CONFIGURATION,
        terraform: { ...CONFIGURATION.terraform, backend: { local: { path: "kept/here.tfstate" } } },
      });
      expect((await exec(["init", "-no-color"])).code).toBe(0);
      expect((await exec(["apply", "-auto-approve", "-no-color"])).code).toBe(0);
      expect(JSON.parse(place.read("kept/here.tfstate")).resources).not.toEqual([]);
    });

    test("steward exec passes Ctrl-C on to Terraform only once, so that Terraform saves the change in flight", async () => {
      const proxy = await holdingProxy(place.service.url);
      const args = [program, "apply", "-auto-approve", "-no-color", "-parallelism=1"];
      const child = spawn(process.execPath, [require.resolve("../../../dist/cli/main.js"), "exec", ...args], {
        cwd: place.folder,
        env: { PATH: process.env["PATH"], ...place.env, STEWARD_BASE_URL: proxy.url },
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      });
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      const interrupted = new Promise<void>((resolve) => {
        let out = "";
        child.stdout.on("data", (chunk) => {
          out += chunk;
          if (out.includes("Interrupt received")) resolve();
        });
      });
      const errorOutput = text(child.stderr);
      await proxy.holds;
      process.kill(-child.pid!, "SIGINT");
      await interrupted;
      proxy.release();
      expect(await ended).toBe(1);
      proxy.close();
      expect(await errorOutput).not.toContain("Two interrupts received");
      const { resources } = JSON.parse(place.read("terraform.tfstate")) as {
        resources: { mode: string; instances: unknown[] }[];
      };
      const managed = resources.filter(({ mode }) => mode === "managed");
      expect(managed.flatMap(({ instances }) => instances)).toHaveLength(1);
      expect((await exec(["apply", "-auto-approve", "-no-color"])).code).toBe(0);
    });
  });
}
