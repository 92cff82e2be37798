import type { ValueObject } from "../../../src/schema";
import { type Answer, HttpProxy, type Passage } from "../../support/http-proxy";
import { Host } from "../support/host";
import { FIXTURE, PROJECT, providerConfig, TOKEN, useWorld, type World } from "../support/world";

// The live platform names a primary domain by its URL, and the specification by its name: a declaration may do either, and
// both mean the same.

const type = "steward_pages_settings";
const project = "acme/web";
const at = `/projects/${PROJECT.web}/pages`;
const live = async (world: World) => ((await world.http("GET", at)) as ValueObject)["primary_domain"];
const patches = (world: World) =>
  world.service.requests.all.filter(({ method }) => method === "PATCH").map(({ status }) => status);

describe("on a service that shows and takes URLs alone", () => {
  const world = useWorld(FIXTURE, undefined, "observed");
  const host = () => new Host(world(), type, TOKEN.maintainer);
  const patch = (pages_primary_domain: string) => world().http("PATCH", at, { pages_primary_domain });

  test("a host is sent as it is declared and, after the 400, as its URL; the state keeps the host", async () => {
    const config = { project, primary_domain: "web.example.com" };
    const state = await host().bring(undefined, config);
    expect(state.attributes["primary_domain"]).toBe("web.example.com");
    expect(await live(world())).toBe("https://web.example.com");
    expect(patches(world())).toEqual([400, 200]);
    expect(await host().refresh(state)).toEqual(state);
    expect(await host().drift(state, config)).toEqual([]);
  });

  test("a URL is sent once, and kept", async () => {
    const config = { project, primary_domain: "https://web.example.com" };
    const state = await host().bring(undefined, config);
    expect(state.attributes["primary_domain"]).toBe("https://web.example.com");
    expect(patches(world())).toEqual([200]);
    expect(await host().drift(state, config)).toEqual([]);
  });

  test.each(["web.example.com", "https://web.example.com", "HTTPS://Web.Example.com/", "WEB.EXAMPLE.COM."])(
    "%j is no change of a declaration of the same host",
    async (primary_domain) => {
      const state = await host().bring(undefined, { project, primary_domain: "https://web.example.com" });
      world().service.requests.reset();
      const plan = await host().plan(await host().refresh(state), { project, primary_domain });
      expect(plan).toMatchObject({ action: "none", diagnostics: [] });
      expect(plan.planned!.attributes["primary_domain"]).toBe("https://web.example.com");
      expect(patches(world())).toEqual([]);
    },
  );

  test("the other settings go along with the form that is taken, and nothing twice", async () => {
    const config = { project, primary_domain: "web.example.com", force_https: false };
    const state = await host().bring(undefined, config);
    expect(state.attributes).toMatchObject({ force_https: false, primary_domain: "web.example.com" });
    world().service.requests.reset();
    await host().bring(state, { ...config, force_https: true });
    expect(patches(world())).toEqual([200]);
  });

  test("another domain set by hand is drift, and mended", async () => {
    const config = { project, primary_domain: "web.example.com" };
    const state = await host().bring(undefined, config);
    await patch("https://www.example.com");
    expect(await host().drift(state, config)).toEqual(["primary_domain"]);
    const mended = await host().bring(await host().refresh(state), config);
    expect(mended.attributes["primary_domain"]).toBe("web.example.com");
    expect(await live(world())).toBe("https://web.example.com");
  });

  test('"" clears it', async () => {
    const state = await host().bring(undefined, { project, primary_domain: "web.example.com" });
    const cleared = await host().bring(state, { project, primary_domain: "" });
    expect(cleared.attributes["primary_domain"]).toBe("");
    expect(await live(world())).toBeNull();
  });

  test("a domain of another project is refused in every form, and the error is that of the declared one", async () => {
    const plan = await host().plan(undefined, { project, primary_domain: "docs.example.com" });
    const { state, diagnostics } = await host().apply(plan);
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { severity: "error", code: "bad_request", attribute: ["primary_domain"] },
    ]);
    expect(await live(world())).toBeNull();
  });

  test("an import shows the URL, and declaring the host plans nothing", async () => {
    await patch("https://web.example.com");
    const state = await host().import("1");
    expect(state.attributes["primary_domain"]).toBe("https://web.example.com");
    expect(await host().drift(state, { project, primary_domain: "web.example.com" })).toEqual([]);
  });
});

describe("behind something that knows other forms", () => {
  const world = useWorld();
  let proxy: HttpProxy | undefined;
  afterEach(() => proxy?.close());

  /** What a service answers that shows domains by `show` and takes those that are `taken`. */
  const hostAt = async (taken: (domain: string) => boolean, show: (domain: string) => object) => {
    proxy = new HttpProxy(world().service.url, async (passage: Passage) => {
      if (passage.isWrite) {
        const sent = JSON.parse((await passage.body()).toString()) as ValueObject;
        const domain = sent["pages_primary_domain"] as string;
        if (!taken(domain)) return passage.refuse(400, "400 Bad request - missing from the domain list");
        await world().http(
          "PATCH",
          at,
          { pages_primary_domain: domain.replace(/^https?:\/\//, "") },
          TOKEN.administrator,
        );
        return passage.answer(shown(await world().http("GET", at), show));
      }
      const answer = await passage.forward();
      if (!passage.url.endsWith("/pages")) return passage.answer(answer);
      passage.answer(shown(JSON.parse(answer.body.toString()), show));
    });
    const base_url = await proxy.start();
    const connect = () =>
      world().provider.configure(
        providerConfig(world().provider, { base_url, token: TOKEN.administrator }),
        {},
      ).provider!;
    return new Host({ ...world(), connect }, type);
  };
  const shown = (record: unknown, show: (domain: string) => object): Answer => {
    const { primary_domain, ...others } = record as { primary_domain: string | null };
    const body = JSON.stringify({ ...others, ...(primary_domain !== null && show(primary_domain)) });
    return { status: 200, headers: { "content-type": "application/json" }, body: Buffer.from(body) };
  };

  test("a service that takes names alone is sent the name after the URL", async () => {
    const host = await hostAt(
      (domain) => !domain.includes("/"),
      (primary_domain) => ({ primary_domain }),
    );
    const config = { project, primary_domain: "https://web.example.com" };
    const state = await host.bring(undefined, config);
    expect(state.attributes["primary_domain"]).toBe("https://web.example.com");
    expect(await host.drift(state, config)).toEqual([]);
  });

  test("a domain without a certificate is a plain http address there, and is found all the same", async () => {
    const host = await hostAt(
      (domain) => domain.startsWith("http://"),
      (domain) => ({ primary_domain: `http://${domain}` }),
    );
    const config = { project, primary_domain: "web.example.com" };
    const state = await host.bring(undefined, config);
    expect(state.attributes["primary_domain"]).toBe("web.example.com");
    expect(await host.drift(state, config)).toEqual([]);
  });

  test("a release that shows it under the name of its parameter is understood", async () => {
    const host = await hostAt(
      () => true,
      (domain) => ({ pages_primary_domain: `https://${domain}` }),
    );
    const config = { project, primary_domain: "web.example.com" };
    expect(await host.drift(await host.bring(undefined, config), config)).toEqual([]);
  });
});
