import { readdirSync } from "node:fs";
import path from "node:path";
import { HOSTILE, takenLines } from "../../support/hostile";
import type { Passage } from "../../support/http-proxy";
import {
  body,
  expectJUnit,
  FORMATS,
  HASTY,
  HERE,
  json,
  NAME,
  PRODUCTION,
  place,
  shown,
  through,
  useHostilePlace,
  WEB,
  walk,
  walkAll,
} from "../support/hostile-place";
import { TOKENS } from "../support/place";

jest.setTimeout(120_000);

useHostilePlace();

/** A plan of Terraform. Steward does not know the provider of its resources. */
const THEIRS = {
  format_version: "1.4",
  terraform_version: "1.11.4",
  planned_values: { root_module: {} },
  configuration: { root_module: {} },
  resource_changes: [
    {
      address: `acme_thing.${HOSTILE}`,
      mode: "managed",
      type: HOSTILE,
      name: HOSTILE,
      provider_name: HOSTILE,
      change: {
        actions: ["create"],
        before: null,
        after: { [HOSTILE]: HOSTILE },
        after_unknown: {},
        before_sensitive: false,
        after_sensitive: {},
      },
    },
  ],
  output_changes: { [HOSTILE]: { actions: ["create"], before: null, after: HOSTILE } },
  checks: [
    {
      address: { kind: "check", to_display: `check.${HOSTILE}` },
      status: "fail",
      instances: [
        { address: { to_display: HOSTILE }, status: "fail", problems: [{ message: `It is ${HOSTILE}` }] },
      ],
    },
  ],
};

/** Later tests use the results of earlier tests. */
describe("names with line breaks and control characters stay on one line of output", () => {
  test("hostile names stay on one line in the output of validate and plan", async () => {
    place.write("broken/main.tf.json", { output: { [HOSTILE]: { value: HOSTILE } }, [HOSTILE]: HOSTILE });
    place.write("theirs.json", THEIRS);
    await walkAll("in validate and plan");
  });

  test("hostile names stay on one line in errors about refused requests", async () => {
    const types = [json, { "content-type": "text/plain" }, { "content-type": "text/html" }];
    for (const [at, status] of [400, 401, 403, 404, 409, 422, 500].entries()) {
      const answer = {
        status,
        headers: types[at % 2]!,
        body: body(at % 2 === 0 ? { message: { [HOSTILE]: [HOSTILE] } } : HOSTILE),
      };
      const refuse = async (passage: Passage) =>
        passage.url.includes("protected_environments")
          ? passage.answer(answer)
          : passage.answer(await passage.forward());
      await through(refuse, async (env) => {
        await walk("plan", HASTY, { env, formats: ["text", "json"].slice(at % 2, (at % 2) + 1) });
        if (status === 422) await walk("apply", ["--auto-approve", ...HASTY], { env });
      });
    }
  });

  test("hostile names stay on one line in errors about malformed responses and headers", async () => {
    const odd = [
      { status: 200, headers: json, body: body([{ [HOSTILE]: HOSTILE, id: HOSTILE, name: { a: HOSTILE } }]) },
      { status: 200, headers: json, body: body(HOSTILE) },
      { status: 301, headers: { location: "/\u0085::error::PWNED\u009b" }, body: body("") },
      { status: 302, headers: { location: "http://evil.example/\u0085::error::PWNED" }, body: body("") },
      { status: 429, headers: { "retry-after": "PWNED\u0085" }, body: body({ message: HOSTILE }) },
      {
        status: 200,
        headers: { ...json, link: `<\u0085PWNED>; rel="next"`, "x-next-page": "\u0085PWNED" },
        body: body([]),
      },
    ];
    for (const answer of odd) {
      const refuse = async (passage: Passage) =>
        passage.url.includes("protected_environments")
          ? passage.answer(answer)
          : passage.answer(await passage.forward());
      await through(refuse, (env) => walk("plan", HASTY, { env, formats: ["json"] }));
      await through(refuse, (env) => walk("drift", HASTY, { env, formats: ["text"] }));
    }
    const rename = async (passage: Passage) => {
      const answered = await passage.forward();
      const text = answered.body.toString().replaceAll('"acme/shop"', JSON.stringify(`acme/shop${HOSTILE}`));
      const { "content-length": _length, ...headers } = answered.headers;
      passage.answer({ ...answered, headers, body: body(text) });
    };
    await through(rename, (env) => walk("plan", HASTY, { env }));
  });

  test("hostile names stay on one line in the output of apply", async () => {
    await walkAll("in apply");
  });

  test("hostile names stay on one line in the output of drift and drift --coverage", async () => {
    const address = `/projects/1/protected_environments/${encodeURIComponent(NAME)}`;
    expect(await place.byHand("PUT", address, { deploy_access_levels: [{ user_id: 666 }] })).toBe(200);
    place.write("ignore.yaml", JSON.stringify([{ object: HOSTILE, reason: HOSTILE }]));
    await walkAll("in drift and undeclared objects");
  });

  test("hostile names stay on one line in the output and the files of adopt", async () => {
    const odd = [{ name: HOSTILE, deploy_access_levels: [{ id: 1, access_level: 77 }], approval_rules: [] }];
    const answer = async (passage: Passage) =>
      passage.url.includes("protected_environments")
        ? passage.answer({ status: 200, headers: json, body: body(odd) })
        : passage.answer(await passage.forward());
    await through(answer, async (env) => {
      for (const format of ["ts", "hcl", "json"]) {
        await walk("adopt", ["acme", "--out", `adopted ${format}`, "--format", format], { env });
        for (const file of readdirSync(path.join(place.folder, `adopted ${format}`))) {
          const text = place.read(`adopted ${format}/${file}`);
          expect({ file, lines: takenLines(text) }).toEqual({ file, lines: [] });
        }
      }
      await walk("adopt", ["acme", "--out", `adopted ${HOSTILE.replaceAll("/", "")}`], { env });
    });
    await walk("adopt", [HOSTILE, "--out", "nothing"]);
  });

  test("hostile names stay on one line in the output of commands that show a state", async () => {
    const ADDRESS = (await place.run(["state", "list", ...HERE])).out
      .split("\n")
      .find((line) => line.startsWith(PRODUCTION))!;
    await walkAll("in commands that show a state", { ADDRESS });
  });

  test("if a state contains hostile names of types and providers, the names stay on one line of output", async () => {
    const state = JSON.parse(place.read("terraform.tfstate"));
    for (const resource of state.resources) {
      if (resource.mode === "data") resource.name = HOSTILE;
      else Object.assign(resource, { type: `::error::${HOSTILE}`, provider: HOSTILE, module: HOSTILE });
    }
    for (const part of ["lineage", "terraform_version", "version"]) {
      place.write(`evil-${part}.tfstate`, { ...state, [part]: HOSTILE });
    }
    place.write("evil.tfstate", state);
    const kept = JSON.parse(place.read("terraform.tfstate"));
    for (const one of kept.resources.slice(-1)) one.provider = `provider["registry.example/${HOSTILE}"]`;
    place.write("kept.tfstate", kept);
    await walkAll("in a state of unknown origin");
  });

  test("hostile names stay on one line in errors about the holder of a lock", async () => {
    const lock = {
      ID: HOSTILE,
      Operation: HOSTILE,
      Info: HOSTILE,
      Who: HOSTILE,
      Version: HOSTILE,
      Created: HOSTILE,
      Path: HOSTILE,
    };
    place.write(".terraform.tfstate.lock.info", lock);
    await walk("state unlock", [HOSTILE, ...HERE], { formats: ["text"] });
    place.write(".terraform.tfstate.lock.info", lock);
    await walkAll("in the holder of a lock");
  });

  test("hostile names stay on one line in the output of an app and the names of stacks", async () => {
    place.write("app/said", HOSTILE);
    place.write("app/cdktf.json", { language: "typescript", app: "cat said; cat said >&2; exit 1" });
    const stack = {
      name: WEB,
      constructPath: HOSTILE,
      workingDirectory: "stacks/evil",
      dependencies: [],
    };
    const annotations = ["@cdktf/warn", "@cdktf/error", "@cdktf/info"].map((level) => ({
      level,
      message: `The construct ${HOSTILE}`,
      constructPath: HOSTILE,
      stacktrace: [],
    }));
    const stories = [
      { [WEB]: { ...stack, annotations: annotations.slice(0, 1) } },
      {
        [HOSTILE]: { ...stack, annotations },
        two: { ...stack, name: "two", dependencies: [WEB], annotations: [] },
      },
    ];
    for (const command of ["synth", "plan", "drift", "apply"]) {
      const approve = command === "apply" ? ["--auto-approve"] : [];
      await walk(command, ["--app", "cat app/said; cat app/said >&2; exit 1", ...approve]);
      for (const [at, stacks] of stories.entries()) {
        place.write(`app/${at}/manifest.json`, { version: "0", stacks });
        place.write(`app/${at}/stacks/evil/cdk.tf.json`, JSON.parse(place.read("main.tf.json")));
        await walk(command, ["--app", `cp -R app/${at}/. "$CDKTF_OUTDIR"`, ...approve]);
        await walk(command, ["--app", `cp -R app/${at}/. "$CDKTF_OUTDIR"`, ...approve, "--stack", WEB]);
      }
    }
  });

  test("hostile names stay on one line in errors about the command line", async () => {
    for (const command of FORMATS.keys()) {
      if (command === "serve" || command === "mirror") continue;
      await walk(command, ["--config", HOSTILE]);
      await walk(command, [`--${HOSTILE}`]);
      await walk(command, [HOSTILE, HOSTILE, HOSTILE]);
    }
    await walkAll("in the command line");
  });

  test("hostile names stay on one line in the output and the file of snapshot", async () => {
    const file = "snapshot\n::error::PWNED.yaml";
    await walk("snapshot", ["acme", "--out", file]);
    await walk("snapshot", ["acme", "--out", "-"]);
    const fixture = place.read(file);
    expect(fixture).toContain("PWNED");
    expect(takenLines(fixture)).toEqual([]);
    await walk("snapshot", ["acme", "--anonymize", "--out", file]);
    expect(takenLines(place.read(file))).toEqual([]);
    const refuse = async (passage: Passage) =>
      passage.url.includes("pages")
        ? passage.answer({ status: 422, headers: json, body: body({ message: HOSTILE }) })
        : passage.answer(await passage.forward());
    await through(refuse, (env) => walk("snapshot", ["acme", "--out", file], { env }));
  });

  test("hostile names stay on one line in the output of destroy", async () => {
    await walkAll("in destroy");
  });

  test("hostile names stay on one line in the output of ci comment and ci apply for a merge request", async () => {
    const sha = "a".repeat(40);
    const env = {
      CI_API_V4_URL: `${place.service.url}/api/v4`,
      CI_PROJECT_ID: "1",
      CI_MERGE_REQUEST_IID: "1",
      CI_COMMIT_SHA: sha,
      STEWARD_COMMENT_TOKEN: TOKENS.developer,
    };
    const requests = "/projects/1/merge_requests";
    const control = async (method: string, at: string, sent: object) => {
      const url = `${place.service.url}/_steward${requests}${at}`;
      const headers = { ...json, "private-token": TOKENS.developer };
      expect((await fetch(url, { method, headers, body: body(sent) })).ok).toBe(true);
    };
    await control("POST", "", { title: HOSTILE, source_branch: HOSTILE, sha });
    await place.run(["plan", ...HERE, "--report", "of-request.json", "--out-approval", "changes.json"], env);
    await walk("ci comment", ["of-request.json", "--approval", "changes.json"], { env });
    expect(await place.byHand("POST", `${requests}/1/approve`, { sha }, TOKENS.maintainer)).toBe(201);
    await control("PUT", "/1", { merge_commit_sha: "b".repeat(40) });
    const ofMerge = { ...env, CI_COMMIT_BRANCH: "main", CI_COMMIT_SHA: "b".repeat(40) };
    await walk("ci apply", HERE, { env: ofMerge });
  });

  test("JUnit reports with hostile names are valid XML", () => expectJUnit());

  test("the tests above run every command in each of its output formats", () => {
    const missing = [...FORMATS].flatMap(([command, formats]) =>
      formats
        .filter((format) => !shown.get(command)?.has(format) && format !== "widget")
        .map((format) => `${command} ${format}`),
    );
    expect(missing).toEqual([]);
  });
});

test("`steward output --raw` prints a text with control characters unchanged", async () => {
  place.write("raw.tfstate", {
    version: 4,
    terraform_version: "1.11.0",
    serial: 1,
    lineage: "a",
    outputs: { name: { value: HOSTILE, type: "string" } },
    resources: [],
    check_results: null,
  });
  expect((await place.run(["output", "name", "--raw", "--state", "raw.tfstate"])).out).toBe(HOSTILE);
  expect(JSON.parse((await place.run(["output", "name", "--json", "--state", "raw.tfstate"])).out)).toBe(
    HOSTILE,
  );
});
