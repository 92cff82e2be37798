import { JsonDepthError, parseJson } from "../json";
import { type RequestInfo, UnexpectedAnswerError } from "./errors";
import { encodingOf, type HttpResponse, textOf } from "./transport";

/**
 * Parses the body of a successful response as JSON.
 *
 * @throws UnexpectedAnswerError `unexpected_answer`, which names the operation and shows the body
 */
export function readJson(
  answer: HttpResponse,
  request: RequestInfo,
  redact: (text: string) => string,
): unknown {
  const show = excerptOf(redact);
  const type = String(answer.headers["content-type"] ?? "no content type");
  if (!/\bjson\b/i.test(type)) {
    throw unreadableAnswer(answer, request, `the response is ${show(type)}, not JSON`);
  }
  const encoding = encodingOf(answer);
  if (encoding !== undefined) {
    throw unreadableAnswer(
      answer,
      request,
      `the response is compressed (${show(encoding)}), which was not requested`,
    );
  }
  const text = textOf(answer);
  try {
    return parseJson(text);
  } catch (problem) {
    if (problem instanceof JsonDepthError) {
      throw unreadableAnswer(answer, request, `the response can't be read: ${problem.message}`);
    }
    throw unreadableAnswer(answer, request, `the response is not valid JSON: ${show(text)}`);
  }
}

/**
 * The error of a successful response that can't be read: the change was executed, or an intermediary
 * responded in the service's place.
 */
export function unreadableAnswer(
  { status }: HttpResponse,
  request: RequestInfo,
  why: string,
): UnexpectedAnswerError {
  const mayHaveBeenDone = request.method !== "GET";
  const what = mayHaveBeenDone ? `${why}; the change may have been executed` : why;
  return new UnexpectedAnswerError({ code: "unexpected_answer", request, what, status, mayHaveBeenDone });
}

/** Shortens text from the service. Redaction comes before the cut: half a token would escape it. */
export const excerptOf =
  (redact: (text: string) => string) =>
  (text: string): string => {
    const redacted = redact(text);
    return redacted.length > 80 ? `${redacted.slice(0, 80)}…` : redacted;
  };
