import * as fc from "fast-check";
import { type ClientEvent, createClient } from "../../src/api";
import { type Clock, fixedLimit, RequestLimiter, RequestPace } from "../../src/http";
import { json, startFaultServer } from "../api/support/fault-server";
import { projectOf } from "../api/support/rate-limited";
import { VirtualClock } from "../api/support/virtual-clock";

const MINUTE = 60_000;

/** Returns the highest number of these times that lie within one minute. */
const mostInAMinute = (moments: readonly number[]): number => {
  const sorted = [...moments].sort((one, other) => one - other);
  return Math.max(0, ...sorted.map((from) => sorted.filter((at) => at >= from && at < from + MINUTE).length));
};

/** Returns a clock that counts its timers. */
const countingClock = (clock: Clock) => {
  const counted = { timers: 0 };
  const counting: Clock = {
    now: () => clock.now(),
    after(milliseconds, callback) {
      counted.timers += 1;
      return clock.after(milliseconds, callback);
    },
  };
  return { counting, counted };
};

describe("clients that share a maximum number of requests per minute", () => {
  test("clients together never exceed the maximum number of requests per minute at the service", async () => {
    const request = fc.record({
      client: fc.nat(2),
      duration: fc.integer({ min: 1, max: 90_000 }),
      // The moment at which the request arrives at the service, as a share of the request's duration.
      arrives: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const law = fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.array(request, { maxLength: 40 }),
      async (perMinute, requests) => {
        const clock = new VirtualClock();
        const { counting, counted } = countingClock(clock);
        const pace = new RequestPace(perMinute, counting);
        const limiters = [0, 1, 2].map(
          () => new RequestLimiter(fixedLimit(4), counting, () => undefined, pace),
        );
        const arrivals: number[] = [];
        await Promise.all(
          requests.map(async ({ client, duration, arrives }) => {
            const permit = await limiters[client]!.acquire([], "usual", 1000);
            arrivals.push(clock.now() + duration * arrives);
            await new Promise<void>((resolve) => clock.after(duration, resolve));
            permit.release();
          }),
        );
        expect(arrivals).toHaveLength(requests.length);
        expect(mostInAMinute(arrivals)).toBeLessThanOrEqual(perMinute);
        expect(counted.timers).toBeLessThanOrEqual(requests.length);
      },
    );
    await fc.assert(law, { numRuns: 40 });
  });

  test("retries count towards the maximum number of requests per minute", async () => {
    const clock = new VirtualClock();
    const arrivals: number[] = [];
    const seen = new Set<string>();
    const server = await startFaultServer((asked, response) => {
      arrivals.push(clock.now());
      const isFirst = !seen.has(asked.target);
      seen.add(asked.target);
      (isFirst ? json(503, {}) : projectOf)(asked, response);
    });
    const events: ClientEvent[] = [];
    const pace = new RequestPace(5, clock);
    const options = { baseUrl: server.baseUrl, token: "t", env: {}, clock, pace, totalTimeout: 20 };
    const clients = [0, 1].map(() => createClient({ ...options, onEvent: (event) => events.push(event) }));
    const found = await Promise.all([1, 2, 3, 4].map((id) => clients[id % 2]!.projects.get(id)));
    await server.close();
    expect(found.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(arrivals).toHaveLength(8);
    expect(mostInAMinute(arrivals)).toBeLessThanOrEqual(5);
    const waits = events.filter(({ type }) => type === "rate_limit");
    expect(waits).not.toHaveLength(0);
    for (const wait of waits)
      expect(wait).toMatchObject({ reason: "this run has used its requests of a minute" });
  });

  test("clients that used up the maximum send requests again after the clock was set back", () => {
    let now = 10 * MINUTE;
    const pace = new RequestPace(1, { now: () => now, after: () => () => undefined });
    pace.start();
    pace.end();
    expect(pace.isOpen).toBe(false);
    now = 0;
    expect(pace.isOpen).toBe(true);
  });

  test("clients leave no timer when their waiting requests are cancelled", async () => {
    const timers = new Set<() => void>();
    const clock: Clock = {
      now: () => 0,
      after(_, callback) {
        timers.add(callback);
        return () => timers.delete(callback);
      },
    };
    const limiter = new RequestLimiter(fixedLimit(5), clock, () => undefined, new RequestPace(1, clock));
    (await limiter.acquire([], "usual", 1000)).release();
    expect(limiter.isPaused).toBe(true);
    const cancellation = new AbortController();
    const waiting = limiter.acquire([cancellation.signal], "usual", 1000);
    expect(timers.size).toBe(1);
    cancellation.abort();
    await expect(waiting).rejects.toMatchObject({ reason: "cancelled" });
    expect(timers.size).toBe(0);
  });
});
