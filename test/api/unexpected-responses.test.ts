import type { $ZodType } from "zod/v4/core";
import { type ApiError, createClient } from "../../src/api";
import { OPERATIONS } from "../../src/api/areas";
import { pathKeys } from "../../src/api/calls/encoding";
import type { ListOperation, Operation } from "../../src/api/calls/operation";
import { successStatuses } from "../../src/api/calls/validate";
import { type Behaviour, empty, json, redirect, startFaultServer } from "./support/fault-server";

// A change counts as done only if its response proves it. For each operation, the tests return every response that proves
// nothing, such as a sign-in page. Every call must fail, and the error of a change must say that the outcome is unknown.

type AnyOperation = Operation | ListOperation;

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, $ZodType>>;
  readonly innerType?: $ZodType;
  readonly in?: $ZodType;
  readonly element?: $ZodType;
  readonly options?: readonly $ZodType[];
  readonly entries?: Readonly<Record<string, string>>;
}

/** Returns a value of a schema. In this value, every number is `number`, and every text is `text`. */
function valueWith(schema: $ZodType, number: number, text: string): unknown {
  const { type, shape, innerType, in: before, element, options, entries } = schema._zod.def as Definition;
  const inner = innerType ?? before;
  if (inner !== undefined) return valueWith(inner, number, text);
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(shape!).map(([name, field]) => [name, valueWith(field, number, text)]),
      );
    case "array":
      return [valueWith(element!, number, text)];
    case "union":
      return valueWith(options![0]!, number, text);
    case "enum":
      return Object.values(entries!)[0];
    case "record":
      return {};
    case "number":
      return number;
    case "boolean":
      return true;
    default:
      return text;
  }
}

const ID = 7;
const NAME = "production";

/** The parameters of the operations that need some. */
const PARAMETERS: Readonly<Record<string, unknown>> = {
  "jobTokenScope.update": { enabled: true },
  "jobTokenScope.addProject": ID,
  "jobTokenScope.addGroup": ID,
  "protectedEnvironments.protect": { name: NAME, deploy_access_levels: [{ access_level: 30 }] },
  "protectedEnvironments.update": { deploy_access_levels: [{ access_level: 30 }] },
  "pages.update": { pages_https_only: true },
  "containerProtectionRules.create": {
    repository_path_pattern: NAME,
    minimum_access_level_for_push: "owner",
  },
  "containerProtectionRules.update": { minimum_access_level_for_push: "owner" },
  "projectInvitations.create": { email: "ada@example.com", access_level: 30 },
  "groupInvitations.create": { email: "ada@example.com", access_level: 30 },
  "projectInvitations.update": { access_level: 30 },
  "groupInvitations.update": { access_level: 30 },
  "users.byUsername": NAME,
  "mergeRequests.comment": { body: "text" },
  "mergeRequests.editComment": { body: "text" },
  "mergeRequests.react": { name: NAME },
  "issues.create": { title: "text", description: "text", labels: "" },
  "issues.edit": { title: "text" },
};

const NUMBERS = new Set([
  "project",
  "group",
  "id",
  "rule",
  "user",
  "target",
  "iid",
  "note",
  "pipeline",
  "job",
]);

/** Sends one operation to a server with the given response. */
async function send({ name, path, ...operation }: AnyOperation, answer: Behaviour) {
  const server = await startFaultServer(answer);
  const client = createClient({ baseUrl: server.baseUrl, token: "t", env: {}, maxAttempts: 1 });
  const [area = "", method = ""] = name.split(".");
  const given = pathKeys(path)
    .filter((key) => key !== "templates_path")
    .map((key) => (NUMBERS.has(key) ? ID : NAME));
  const parameters = name in PARAMETERS ? [PARAMETERS[name]] : [];
  const areas = client as unknown as Record<string, Record<string, (...given: unknown[]) => unknown>>;
  try {
    const called = areas[area]![method]!(...given, ...parameters);
    const result = "pagination" in operation ? (called as { toArray(): unknown }).toArray() : called;
    return await Promise.resolve(result).then(
      (value) => ({ value, error: undefined }),
      (error: unknown) => ({ value: undefined, error: error as ApiError }),
    );
  } finally {
    await client.close();
    await server.close();
  }
}

const isList = (operation: AnyOperation): operation is ListOperation => "pagination" in operation;

/** Returns whether an operation accepts any successful response as its file, except a web page. */
const isFile = ({ isRaw }: AnyOperation): boolean => isRaw === true;

/** Returns the body of an operation's successful response; undefined if it has none. */
function body(operation: AnyOperation, number = ID, text = NAME): unknown {
  if (operation.answer === undefined) return undefined;
  const value = valueWith(operation.answer, number, text);
  return isList(operation) ? [value] : value;
}

const text =
  (status: number, type: string, content: string): Behaviour =>
  (_, response) => {
    response.writeHead(status, { "content-type": type }).end(content);
  };

const first = (operation: AnyOperation): number => successStatuses(operation)[0]!;

/**
 * The responses that prove nothing about an operation. Undefined if the response would prove that the operation succeeded.
 */
const ROWS: Readonly<Record<string, (operation: AnyOperation) => Behaviour | undefined>> = {
  "a sign-in page": () => text(200, "text/html", "<title>Sign in</title>"),
  "200 with an error object": (operation) =>
    isFile(operation) ? undefined : json(200, { message: "401 Unauthorized" }),
  "202 with a valid body": (operation) => json(202, body(operation) ?? {}),
  "202 without a body": () => empty(202),
  "204 instead of a body": (operation) => (operation.answer === undefined ? undefined : empty(204)),
  "a body instead of an empty response": (operation) =>
    operation.answer === undefined ? json(200, { status: "ok" }) : undefined,
  "a list for an object, or an object for a list": (operation) =>
    isFile(operation)
      ? undefined
      : json(first(operation), Array.isArray(body(operation)) ? { id: ID } : [body(operation) ?? {}]),
  "an object with another id and name": (operation) =>
    isList(operation) || operation.isAbout === undefined ? undefined : json(200, body(operation, 8, "other")),
  "truncated JSON": (operation) =>
    isFile(operation)
      ? undefined
      : text(
          first(operation),
          "application/json",
          (JSON.stringify(body(operation)) ?? "{}").slice(0, -1) || "{",
        ),
  "a wrong content type": (operation) =>
    isFile(operation)
      ? undefined
      : text(first(operation), "text/plain", JSON.stringify(body(operation)) ?? "OK"),
  "a compressed body that was not requested": (operation) => {
    if (operation.answer === undefined) return undefined;
    const type = { "content-type": "application/json", "content-encoding": "gzip" };
    return (_, response) => response.writeHead(first(operation), type).end("{}");
  },
  "a redirect to a page": () => redirect(302, "/users/sign_in"),
  "a 404 with a page": () => text(404, "text/html", "<title>Not found</title>"),
};

const EACH = OPERATIONS.map((operation): [string, AnyOperation] => [operation.name, operation]);

describe.each(EACH)("%s", (_, operation) => {
  const isChange = operation.method !== "GET";

  test("if a response has a documented success status and a valid body, the operation succeeds", async () => {
    for (const status of successStatuses(operation)) {
      const answer = operation.answer === undefined ? empty(status) : json(status, body(operation));
      expect((await send(operation, answer)).error).toBeUndefined();
    }
  });

  test.each(Object.entries(ROWS))("if the response is %s, the operation fails", async (_row, answerTo) => {
    const answer = answerTo(operation);
    if (answer === undefined) return;
    const { error } = await send(operation, answer);
    expect(["unexpected_answer", "redirect_refused", "no_api"]).toContain(error?.code);
    expect(error?.mayHaveBeenDone).toBe(isChange && error?.code !== "no_api");
  });
});

/** Responses without the name of an object. The client can't compare such a response with the request. */
const NAMELESS: Readonly<Record<string, string>> = {
  "applicationSettings.get": "the instance has one record of settings",
  "jobTokenScope.get": "the settings of a project have no id",
  "pages.get": "the settings of a project have no id",
  "pages.update": "the settings of a project have no id",
  "projectInvitations.create": "the response has the status alone",
  "groupInvitations.create": "the response has the status alone",
  "projectInvitations.update": "the live platform returns the level and the expiry date alone",
  "groupInvitations.update": "the live platform returns the level and the expiry date alone",
  "projects.permissions": "only the levels are used",
  "ciTemplates.get": "a template's name differs from its key",
  "users.current": "the token says who it is",
  "users.token": "the token says which it is",
  "users.byUsername": "the names in the list are compared",
  "mergeRequests.approvals": "the response has the approvals alone",
  "mergeRequests.comment": "the service assigns the id of a new comment",
  "issues.create": "the service assigns the id of a new issue",
  "pipelines.artifact": "the response is the file alone",
};

test("the client compares each response about an object with the request, except for the operations in NAMELESS", () => {
  const answered = EACH.filter(([, operation]) => operation.answer !== undefined && !isList(operation));
  const unchecked = answered.filter(([, { isAbout }]) => isAbout === undefined).map(([name]) => name);
  expect(unchecked.sort()).toEqual(Object.keys(NAMELESS).sort());
});
