import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inspect } from "node:util";
import { apply, drift, plan, type Run, type RunEvent, validate } from "cdktf-provider-steward/engine";
import { createProvider } from "cdktf-provider-steward/provider";
import { reconcile } from "../../../examples/engine-library/reconcile";

import {
  CHAIN,
  codesOf,
  configurationOf,
  declared,
  followed,
  inState,
  isLimited,
  optionsFor,
  scope,
  serviceWith,
  stateIn,
  useLibrary,
  WEB,
} from "../support/library";

// The engine runs in the process of another program. The tests check the effects of a run on this process, and the effects
// of the program on a run.

useLibrary();

describe("the engine in the process of another program", () => {
  test("the engine prints nothing and adds no signal handlers", async () => {
    const printed: unknown[] = [];
    const spies = [process.stdout, process.stderr].map((stream) =>
      jest.spyOn(stream, "write").mockImplementation((text) => {
        printed.push(text);
        return true;
      }),
    );
    const signals = [
      "SIGINT",
      "SIGTERM",
      "SIGHUP",
      "exit",
      "uncaughtException",
      "unhandledRejection",
    ] as const;
    const before = [process.cwd(), { ...process.env }, process.exitCode];
    const listeners = signals.map((signal) => process.listenerCount(signal));
    const during: number[][] = [];
    for (const run of [apply(WEB, optionsFor()), plan({ configuration: "nowhere" }, optionsFor())])
      for await (const _ of run.events) during.push(signals.map((signal) => process.listenerCount(signal)));
    await reconcile(
      { configuration: declared({ web: scope("acme/web") }) },
      { env: optionsFor().env!, log: () => undefined },
    );
    for (const spy of spies) spy.mockRestore();
    expect(printed).toEqual([]);
    expect(during.filter((counts) => String(counts) !== String(listeners))).toEqual([]);
    expect([process.cwd(), { ...process.env }, process.exitCode]).toEqual(before);
  });

  test("no result, event or message of the engine contains the token, even in nested values", async () => {
    const printed = async <Result>(run: Run<RunEvent, Result>) => {
      const handle = inspect(run, { depth: null });
      const { events, result } = await followed(run);
      return [
        handle,
        inspect(run, { depth: null }),
        inspect(events, { depth: null }),
        inspect(result, { depth: null }),
      ];
    };
    const provider = createProvider();
    const texts = [
      ...(await printed(validate(WEB, optionsFor()))),
      ...(await printed(plan(WEB, optionsFor({ providers: [provider] })))),
      ...(await printed(apply(WEB, optionsFor()))),
      ...(await printed(drift(WEB, optionsFor()))),
      inspect(provider, { depth: null }),
    ];
    expect(texts.filter((text) => text.includes("token-of-maya"))).toEqual([]);
  });

  test("two runs in one process can have different services, tokens, states and events", async () => {
    const other = await serviceWith("token-of-another");
    const there = mkdtempSync(path.join(tmpdir(), "steward-library-"));
    try {
      const env = { STEWARD_BASE_URL: other.url, STEWARD_TOKEN: "token-of-another" };
      const [one, two] = await Promise.all([
        followed(apply(configurationOf({ here: scope("acme/web") }), optionsFor())),
        followed(apply(configurationOf({ there: scope("acme/docs") }), optionsFor({ folder: there, env }))),
      ]);
      expect([one.result.succeeded, two.result.succeeded]).toEqual([true, true]);
      expect(await isLimited("acme/docs")).toBe(false);
      expect(await isLimited("acme/web", other, "token-of-another")).toBe(false);
      expect(stateIn().resources.map(({ name }) => name)).toEqual(["here"]);
      expect(stateIn(there).resources.map(({ name }) => name)).toEqual(["there"]);
      const addresses = ({ events }: typeof one) => [
        ...new Set(events.flatMap((event) => ("address" in event ? [event.address] : []))),
      ];
      expect(addresses(one)).toEqual(["steward_job_token_scope.here"]);
      expect(addresses(two)).toEqual(["steward_job_token_scope.there"]);
    } finally {
      await other.close();
      rmSync(there, { recursive: true, force: true });
    }
  });

  test("after the caller aborts an apply, the engine saves the sent change and starts no other change", async () => {
    const stop = new AbortController();
    const run = apply(CHAIN, optionsFor({ signal: stop.signal }));
    for await (const event of run.events)
      if (event.kind === "request" && event.request.type === "request" && event.request.method !== "GET")
        stop.abort();
    const { succeeded, diagnostics } = await run.result;
    expect(succeeded).toBe(false);
    expect(codesOf({ diagnostics })).toContain("interrupted");
    expect(inState()).toEqual(["first"]);
    expect([await isLimited("acme/web"), await isLimited("acme/docs")]).toEqual([true, false]);
    expect((await apply(CHAIN, optionsFor()).result).stacks).toMatchObject([{ done: { add: 1 } }]);
    expect(inState()).toEqual(["first", "second"]);
  });

  test("an operation continues after its caller stops reading the events", async () => {
    const run = apply(CHAIN, optionsFor());
    for await (const event of run.events) if (event.kind === "apply_start") break;
    expect((await run.result).succeeded).toBe(true);
    for await (const event of run.events) throw new Error(`An ended run sends the event ${event.kind}.`);
  });
});
