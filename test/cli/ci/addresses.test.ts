import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { openPlace, type Place, TOKENS } from "../support/place";
import { COMMENT_TOKEN, TEAM } from "./team";

const HEAD = "a".repeat(40);
const ADDRESSES = ["ada.lovelace@example.com", "b+2@mail.example.com"];
const KEY = { STEWARD_ADDRESS_KEY: "key-of-the-pipeline-1" };

const invitation = (email: string) => ({ project: "acme/shop", email, access_level: 30 });
const configuration = (addresses: readonly string[]) => ({
  terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
  resource: {
    steward_project_invitation: Object.fromEntries(
      addresses.map((address, at) => [`guest${at}`, invitation(address)]),
    ),
    steward_job_token_scope: { limit: { project: "acme/shop", inbound_enabled: true } },
  },
});

describe("e-mail addresses in the artifacts of a pipeline", () => {
  let place: Place;
  const iid = 1;
  beforeAll(async () => {
    place = await openPlace({
      ...TEAM,
      projects: [
        { path: "acme/shop", job_token_scope: { inbound_enabled: false } },
        { path: "acme/settings" },
      ],
    });
    place.write("main.tf.json", configuration(ADDRESSES));
  });
  afterAll(() => place.close());

  const env = () => ({
    CI: "true",
    CI_API_V4_URL: `${place.service.url}/api/v4`,
    CI_PROJECT_ID: "2",
    CI_COMMIT_SHA: HEAD,
    CI_COMMIT_BRANCH: "main",
    STEWARD_COMMENT_TOKEN: COMMENT_TOKEN,
  });
  const plan = (more: Readonly<Record<string, string>>) =>
    place.run(
      [
        ...["plan", "--config", ".", "--lock=false", "--access", "--out-approval", "changes.json"],
        ...["plan.json", "plan.html", "plan.md", "plan.xml"].flatMap((name) => ["--report", name]),
      ],
      { ...env(), ...more },
    );
  const notes = async (): Promise<readonly { readonly body: string }[]> => {
    const response = await fetch(`${place.service.url}/api/v4/projects/2/merge_requests/${iid}/notes`, {
      headers: { "private-token": COMMENT_TOKEN },
    });
    return (await response.json()) as readonly { readonly body: string }[];
  };
  /** Returns the names of the texts that contain an e-mail address, with `@` or with `%40`. */
  const leaks = (texts: ReadonlyMap<string, string>): string[] =>
    [...texts]
      .filter(([, text]) =>
        ADDRESSES.some((one) => text.includes(one) || text.includes(one.replace("@", "%40"))),
      )
      .map(([name]) => name);
  const artifacts = (): Map<string, string> =>
    new Map(
      readdirSync(place.folder)
        .filter((name) => /^(changes|plan|saved|apply|steward-approval)\./.test(name))
        .map((name) => [name, readFileSync(path.join(place.folder, name), "utf8")]),
    );

  test("in a pipeline without STEWARD_ADDRESS_KEY, plan fails if the changes contain e-mail addresses", async () => {
    const ended = await plan({});
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining("STEWARD_ADDRESS_KEY") });
    expect([...artifacts().keys()]).not.toContain("changes.json");
    expect(leaks(artifacts())).toEqual([]);
  });

  test("without STEWARD_ADDRESS_KEY, plan --out-approval fails for e-mail addresses, even outside of a pipeline", async () => {
    const words = ["plan", "--config", ".", "--lock=false", "--out-approval", "changes.json"];
    const ended = await place.run(words, {});
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining("STEWARD_ADDRESS_KEY") });
    expect([...artifacts().keys()]).not.toContain("changes.json");
  });

  test("in a pipeline, plan encrypts the e-mail addresses in a saved plan with STEWARD_ADDRESS_KEY", async () => {
    const save = ["plan", "--config", ".", "--lock=false", "--out", "saved.plan"];
    expect(await place.run(save, env())).toMatchObject({
      code: 1,
      err: expect.stringContaining("STEWARD_ADDRESS_KEY"),
    });
    expect([...artifacts().keys()]).not.toContain("saved.plan");
    expect(await place.run(save, { ...env(), ...KEY })).toMatchObject({ code: 0 });
    expect(leaks(artifacts())).toEqual([]);
    for (const words of [["show"], ["apply"]])
      for (const key of [{}, { STEWARD_ADDRESS_KEY: "another-key-of-a-pipeline" }])
        expect(await place.run([...words, "saved.plan"], { ...env(), ...key })).toMatchObject({
          code: 1,
          err: expect.stringContaining("Saved plan has encrypted addresses"),
        });
    const shown = await place.run(["show", "saved.plan"], { ...env(), ...KEY });
    expect(shown.out).toContain(ADDRESSES[0]);
  });

  test("outside of a pipeline, plan --out needs no STEWARD_ADDRESS_KEY, and only the owner can read the saved plan", async () => {
    const save = ["plan", "--config", ".", "--lock=false", "--out", "own.plan"];
    expect(await place.run(save, {})).toMatchObject({ code: 0 });
    expect(statSync(path.join(place.folder, "own.plan")).mode & 0o077).toBe(0);
    expect(await place.run(["show", "own.plan"], {})).toMatchObject({ code: 0 });
  });

  test("with STEWARD_ADDRESS_KEY, apply accepts a saved plan with encrypted e-mail addresses", async () => {
    const other = await openPlace({ ...TEAM, projects: [{ path: "acme/shop" }, { path: "acme/settings" }] });
    try {
      other.write("main.tf.json", configuration(ADDRESSES));
      expect(await other.run(["plan", "--config", ".", "--out", "saved.plan"], KEY)).toMatchObject({
        code: 0,
      });
      expect(await other.run(["apply", "saved.plan"], KEY)).toMatchObject({
        code: 0,
        out: expect.stringContaining("Resources: 3 added"),
      });
    } finally {
      await other.close();
    }
  });

  test("the approval file, all reports and the comment contain no readable e-mail addresses", async () => {
    expect(await plan(KEY)).toMatchObject({ code: 0 });
    expect([...artifacts().keys()].sort()).toEqual([
      "changes.json",
      "plan.html",
      "plan.json",
      "plan.md",
      "plan.xml",
      "saved.plan",
    ]);
    expect(leaks(artifacts())).toEqual([]);
    const request = { title: "Guests", source_branch: "guests", sha: HEAD };
    await place.byHand("POST", "/_steward/projects/2/merge_requests", request, TOKENS.developer);
    const words = ["ci", "comment", "plan.json", "--approval", "changes.json"];
    const posted = await place.run(words, { ...env(), ...KEY, CI_MERGE_REQUEST_IID: String(iid) });
    expect(posted).toMatchObject({ code: 0, err: "" });
    const [comment] = await notes();
    expect(comment!.body).toContain("a***@example.com");
    expect(leaks(new Map([["comment", comment!.body]]))).toEqual([]);
  });

  test("if STEWARD_ADDRESS_KEY is missing or wrong, ci comment can't read the addresses in the approval file", async () => {
    const before = place.read("changes.json");
    for (const key of [{}, { STEWARD_ADDRESS_KEY: "another-key-of-a-pipeline" }]) {
      const words = ["ci", "comment", "plan.json", "--approval", "changes.json", "--dry-run"];
      const ended = await place.run(words, { ...env(), ...key, CI_MERGE_REQUEST_IID: String(iid) });
      expect(`${ended.out}${ended.err}`).toContain("has encrypted e-mail addresses");
    }
    expect(await plan(KEY)).toMatchObject({ code: 0 });
    expect(place.read("changes.json")).toBe(before);
  });

  test("the reports of ci apply and the merge request's notes contain no readable e-mail address", async () => {
    await place.byHand("POST", `/projects/2/merge_requests/${iid}/approve`, { sha: HEAD });
    await place.byHand("PUT", `/_steward/projects/2/merge_requests/${iid}`, { state: "merged" });
    const words = ["ci", "apply", "--config", ".", "--report", "apply.json", "--report", "apply.xml"];
    const ended = await place.run(words, { ...env(), ...KEY });
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining("Resources: 3 added") });
    expect(leaks(artifacts())).toEqual([]);
    expect(leaks(new Map((await notes()).map(({ body }, at) => [`note ${at}`, body])))).toEqual([]);
  });
});
