import { encodingOf, excerptOf, type HttpResponse, isPage, textOf, unreadableAnswer } from "../../http";
import type { RequestInfo } from "../errors";
import type { Arguments, Operation } from "./operation";

/** The part of an operation that describes its responses. */
type Expected = Pick<Operation, "method" | "answer" | "success" | "isAbout">;

/** The statuses of success, unless an operation declares others (settled, "Statuses, methods and paths"). */
const READ = [200];
const WRITE = [200, 201];
const WRITE_WITHOUT_BODY = [200, 201, 204];

export function successStatuses({ method, answer, success }: Expected): readonly number[] {
  if (success !== undefined) return success;
  if (method === "GET") return READ;
  return answer === undefined ? WRITE_WITHOUT_BODY : WRITE;
}

/**
 * Checks the status of a success. If the operation has no response body, it also checks that the body is empty,
 * because a sign-in page must not count as a change.
 *
 * @throws UnexpectedAnswerError `unexpected_answer`
 */
export function expectSuccess(operation: Expected, answer: HttpResponse, request: RequestInfo): void {
  const { status } = answer;
  if (!successStatuses(operation).includes(status)) {
    throw unreadableAnswer(answer, request, `the response has an unexpected status, ${status}`);
  }
  if (operation.answer === undefined && textOf(answer).trim() !== "") {
    const type = isPage(answer) ? "an HTML page" : "a body";
    throw unreadableAnswer(answer, request, `the response (${status}) has ${type}, but must be empty`);
  }
}

/** Returns the content of a file. A page of a proxy is not a file of a job. @throws UnexpectedAnswerError `unexpected_answer` */
export function expectFile(answer: HttpResponse, request: RequestInfo): Uint8Array {
  if (encodingOf(answer) !== undefined)
    throw unreadableAnswer(answer, request, "the file is compressed, which was not requested");
  if (isPage(answer)) throw unreadableAnswer(answer, request, "the response is an HTML page and no file");
  return answer.body;
}

/** Checks that a response is about the object that was asked for. @throws UnexpectedAnswerError `unexpected_answer` */
export function expectAsked<Answer>(
  { isAbout }: Expected,
  decoded: Answer,
  given: Arguments,
  answer: HttpResponse,
  request: RequestInfo,
  redact: (text: string) => string,
): Answer {
  if (isAbout === undefined || isAbout(decoded as never, given)) return decoded;
  const shown = excerptOf(redact)(textOf(answer));
  throw unreadableAnswer(answer, request, `the response is about another object: ${shown}`);
}
