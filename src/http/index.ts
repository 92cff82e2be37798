// HTTP for the client of any service: retries, pauses, limits, pages and redirects. undici is loaded with the
// first request.
export { type Clock, systemClock } from "./clock";
export { AdaptiveLimit, fixedLimit, INITIAL_LIMIT, MAX_LIMIT } from "./concurrency-limit";
export { type ConnectionSettings, createDispatcher } from "./dispatcher";
export {
  ArgumentError,
  CancelledError,
  ConfigurationError,
  ConnectionError,
  HttpError,
  type HttpErrorCode,
  type HttpErrorDetails,
  type RequestInfo,
  StatusError,
  UnexpectedAnswerError,
} from "./errors";
export type { ClientEvent, EventListener } from "./events";
export { excerptOf, readJson, unreadableAnswer } from "./json-response";
export { type ApiRoot, nextPageTarget } from "./links";
export type { Page, PageReader } from "./pages";
export { UNLIMITED } from "./permits";
export { isPlainHttpAllowed } from "./plain-http";
export { type ProxySettings, readProxy } from "./proxy";
export { describePause } from "./rate-limit";
export { readByKeyset, readByOffset } from "./read-pages";
export { RecordList } from "./record-list";
export { RequestLimiter } from "./request-limiter";
export { RequestPace } from "./request-pace";
export { type PreparedRequest, RequestSender } from "./request-sender";
export { doublingRetries, isTransientStatus, jitteredRetries, pauseBeforeVerify } from "./retry";
export { encodingOf, type HttpResponse, textOf } from "./transport";
