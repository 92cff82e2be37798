import { type ClientEvent, createClient } from "../../src/api";
import { failureOf } from "../api/support/failure-of";
import {
  type Behaviour,
  empty,
  type FaultServer,
  json,
  redirect,
  startFaultServer,
} from "../api/support/fault-server";

const PROJECT = json(200, { id: 1, path_with_namespace: "group/project" });

let server: FaultServer;
let events: ClientEvent[];
const start = async (behaviour: Behaviour) => {
  server = await startFaultServer(behaviour);
  events = [];
};
const client = () =>
  createClient({
    baseUrl: server.baseUrl,
    token: "redirect-token",
    env: {},
    onEvent: (event) => events.push(event),
  });
afterEach(() => server.close());

describe("a moved project", () => {
  test.each([
    ["GET", 301, (of: ReturnType<typeof client>) => of.projects.get("old/path"), PROJECT],
    [
      "PATCH",
      307,
      (of: ReturnType<typeof client>) => of.jobTokenScope.update("old/path", { enabled: true }),
      empty(204),
    ],
    ["DELETE", 308, (of: ReturnType<typeof client>) => of.pages.unpublish("old/path"), empty(204)],
  ] as const)(
    "a redirect is followed with method, body and token: %s %i",
    async (method, status, call, success) => {
      await start((request, response) => {
        if (!request.target.includes("old%2Fpath")) return success(request, response);
        redirect(status, `/api/v4${request.target.replace("old%2Fpath", "7")}`)(request, response);
      });
      await call(client());
      const [first, second] = server.seen;
      expect(second).toMatchObject({ method, body: first!.body });
      expect(second!.target).toContain("/projects/7");
      expect(second!.headers["private-token"]).toBe("redirect-token");
      expect(events.find(({ type }) => type === "redirect")).toMatchObject({ type: "redirect" });
    },
  );

  test.each([
    ["to another origin", "https://elsewhere.example/api/v4/projects/7", "https://elsewhere.example"],
    ["to a sign-in page", "/users/sign_in", "/users/sign_in"],
    ["without a target", "http://[", "no usable Location"],
    ["to itself", "/api/v4/projects/1", "itself"],
  ])("a redirect %s is not followed", async (_, location, told) => {
    await start(redirect(302, location));
    const error = await failureOf(client().projects.get(1));
    expect(error).toMatchObject({ code: "redirect_refused", status: 302 });
    expect(error.message).toContain(told);
    expect(server.seen).toHaveLength(1);
  });

  test("a loop of redirects ends with an error", async () => {
    let hop = 0;
    await start((request, response) => {
      hop += 1;
      redirect(301, `/api/v4/projects/1?hop=${hop % 2}`)(request, response);
    });
    expect((await failureOf(client().projects.get(1))).code).toBe("redirect_refused");
    expect(server.seen).toHaveLength(6);
  });

  test("the client does not follow a redirect with the status 303, which changes the method", async () => {
    await start(redirect(303, "/api/v4/projects/7"));
    expect((await failureOf(client().pages.unpublish(1))).code).toBe("redirect_refused");
  });
});
