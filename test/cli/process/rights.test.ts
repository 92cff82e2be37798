import { HttpProxy } from "../../support/http-proxy";
import { usePlace } from "../support/place";

const place = usePlace("all");
beforeAll(() => {
  place.write("main.tf.json", {
    terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
    resource: { steward_job_token_scope: { shop: { project: "acme/shop", inbound_enabled: true } } },
  });
});

const writes = () => place.service.requests.all.filter(({ method }) => method !== "GET");

describe("token scopes", () => {
  /** Starts a service that reports `scopes` as the scopes of the token, although the token has other scopes. */
  const withScopes = async (scopes: readonly string[]) => {
    const proxy = new HttpProxy(place.service.url, async (passage) => {
      const answer = await passage.forward();
      if (!passage.url.endsWith("/personal_access_tokens/self")) return passage.answer(answer);
      const { "content-length": _, ...headers } = answer.headers;
      const body = JSON.stringify({ ...JSON.parse(answer.body.toString()), scopes });
      passage.answer({ status: 200, headers, body: Buffer.from(body) });
    });
    const STEWARD_BASE_URL = await proxy.start();
    place.service.requests.reset();
    try {
      const env = { STEWARD_TOKEN: place.service.adminToken, STEWARD_BASE_URL };
      const { code, err } = await place.run(
        ["apply", "--auto-approve", "--config", ".", "--state", `${scopes.join("-")}.tfstate`],
        env,
      );
      return { code, err, writes: writes() };
    } finally {
      proxy.close();
    }
  };

  test.each([[["granular"]], [["read_api", "granular"]], [["read_api", "manage_runner"]], [[]]])(
    "if the token's scopes %j do not exclude writes, apply sends its writes",
    async (scopes) => {
      const { code, err, writes: sent } = await withScopes(scopes);
      expect({ code, err }).toMatchObject({ code: 0 });
      expect(sent).not.toEqual([]);
    },
  );

  test.each([[["read_api"]], [["read_user", "read_repository", "openid"]]])(
    "if the token's scopes %j exclude writes, apply fails and sends no write",
    async (scopes) => {
      const { code, err, writes: sent } = await withScopes(scopes);
      expect(code).toBe(1);
      expect(err).toContain("Token lacks a scope");
      expect(sent).toEqual([]);
    },
  );
});
