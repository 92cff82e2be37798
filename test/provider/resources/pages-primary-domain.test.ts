import type { ValueObject } from "../../../src/schema";
import { recordAnswer, refusal, useRunsBehind } from "../support/behind";
import { Host } from "../support/host";
import { PROJECT, TOKEN, useWorld } from "../support/world";

// Tests services whose form of a primary domain differs from the specification and from the live platform. For the live
// platform, see ../transcripts/pages-observed.transcript.

const type = "steward_pages_settings";
const project = "acme/web";
const at = `/projects/${PROJECT.web}/pages`;
const world = useWorld();
const behind = useRunsBehind();

/**
 * Returns a host for a service that accepts the domains for which `taken` is true. The service shows a domain in the
 * form that `show` returns.
 */
const hostAt = async (taken: (domain: string) => boolean, show: (domain: string) => object) => {
  const shown = (record: unknown) => {
    const { primary_domain, ...others } = record as { primary_domain: string | null };
    return recordAnswer(200, { ...others, ...(primary_domain !== null && show(primary_domain)) });
  };
  const connect = await behind(
    world(),
    async (passage) => {
      if (!passage.url.endsWith("/pages")) return undefined;
      if (!passage.isWrite) return shown(JSON.parse((await passage.forward()).body.toString()));
      const sent = JSON.parse((await passage.body()).toString()) as ValueObject;
      const domain = sent["pages_primary_domain"] as string;
      if (!taken(domain)) return refusal(400, "400 Bad request - missing from the domain list");
      const pages_primary_domain = domain.replace(/^https?:\/\//, "");
      await world().http("PATCH", at, { pages_primary_domain }, TOKEN.administrator);
      return shown(await world().http("GET", at));
    },
    { token: TOKEN.administrator },
  );
  return new Host({ ...world(), connect: () => connect() }, type);
};

test("if the service refuses the URL of a domain, the provider sends the domain's name", async () => {
  const host = await hostAt(
    (domain) => !domain.includes("/"),
    (primary_domain) => ({ primary_domain }),
  );
  const config = { project, primary_domain: "https://web.example.com" };
  const state = await host.bring(undefined, config);
  expect(state.attributes["primary_domain"]).toBe("https://web.example.com");
  expect(await host.drift(state, config)).toEqual([]);
});

test("if a domain has no certificate and the service accepts only its http URL, the provider sends this URL", async () => {
  const host = await hostAt(
    (domain) => domain.startsWith("http://"),
    (domain) => ({ primary_domain: `http://${domain}` }),
  );
  const config = { project, primary_domain: "web.example.com" };
  const state = await host.bring(undefined, config);
  expect(state.attributes["primary_domain"]).toBe("web.example.com");
  expect(await host.drift(state, config)).toEqual([]);
});

test("the provider also accepts a response with the domain in the field pages_primary_domain", async () => {
  const host = await hostAt(
    () => true,
    (domain) => ({ pages_primary_domain: `https://${domain}` }),
  );
  const config = { project, primary_domain: "web.example.com" };
  expect(await host.drift(await host.bring(undefined, config), config)).toEqual([]);
});
