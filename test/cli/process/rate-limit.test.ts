import { openPlace, type Place } from "../support/place";
import { refusingProxy } from "../support/refusing-proxy";

jest.setTimeout(60_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

test.each([
  ["a line on stderr", [], (out: string, err: string) => [err, out]],
  ["an event on stdout", ["--json"], (out: string, err: string) => [out, err]],
])("a wait for a rate limit is reported as %s", async (_what, args, places) => {
  const proxy = await refusingProxy(place.service.url);
  const { code, out, err } = await place.run(["plan", "--config", ".", ...args], {
    STEWARD_BASE_URL: proxy.url,
  });
  proxy.close();
  expect(code).toBe(0);
  const [reported, silent] = places(out, err);
  expect(reported).toContain("Waiting 2s: the service refused a request.");
  expect(silent).not.toContain("Waiting");
});
