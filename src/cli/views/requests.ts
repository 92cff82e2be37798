import { oneLine } from "../../text";
import type { Report, ReportObject } from "../document/model";
import type { Style } from "../terminal/text";

/** Renders the requests that an apply would send, by object. Sensitive values are masked. */
export function renderRequests(
  requests: NonNullable<Report["requests"]>,
  objects: readonly ReportObject[],
  style: Style,
): string[] {
  const changing = objects.filter(
    ({ action = "no-op", same_as: sameAs }) => SENT.has(action) && sameAs === undefined,
  );
  const byAddress = new Map(
    [...changing, ...requests].map(({ address }) => [address, [] as typeof requests]),
  );
  for (const request of requests) byAddress.get(request.address)!.push(request);
  if (byAddress.size === 0)
    return [`${style.bold("Requests:")} none; the plan changes nothing on the service.`];
  const isPartial = requests.some(({ not_known: why }) => why !== undefined);
  const count = requests.filter(({ method }) => method !== undefined).length;
  return [
    style.bold("Requests of an apply:"),
    "",
    ...[...byAddress].flatMap(([address, own]) => [
      `  ${style.bold(`# ${oneLine(address)}`)}`,
      ...own.flatMap(({ method, path, body, not_known: why }) =>
        why === undefined
          ? [`  ${method} ${path}`, ...(body === undefined ? [] : [`    ${JSON.stringify(body)}`])]
          : [`  not known: ${why}`],
      ),
      ...(own.length === 0 ? ["  none"] : []),
      "",
    ]),
    `${style.bold("Requests:")} ${isPartial ? "at least " : ""}${count}.`,
  ];
}

/** The actions for which an apply calls a provider. */
const SENT: ReadonlySet<string> = new Set(["create", "update", "replace", "delete"]);
