// Sends HTTP requests for the client of any service: retries, pauses, limits, pages and redirects. This module knows no
// API. undici is loaded with the first request.

export { type Clock, systemClock } from "./clock";
export {
  type ConnectionSettings,
  createDispatcher,
  isPlainHttpAllowed,
  readProxy,
} from "./dispatcher";
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
export { type ApiRoot, type Key, nextPageTarget, type Page, type PageReader, RecordList } from "./pages";
export { describePause } from "./rate-limit";
export { readByKeyset, readByOffset } from "./read-pages";
export { RequestLimiter, UNLIMITED } from "./request-limiter";
export { AdaptiveLimit, fixedLimit, INITIAL_LIMIT, MAX_LIMIT, RequestPace } from "./request-limits";
export {
  type ClientEvent,
  type EventListener,
  type PreparedRequest,
  type RequestGate,
  RequestSender,
} from "./request-sender";
export { jsonObject } from "./responses";
export { doublingRetries, isTransientStatus, jitteredRetries, pauseBeforeVerify } from "./retry";
export {
  encodingOf,
  excerptOf,
  type HttpResponse,
  isPage,
  readJson,
  textOf,
  unreadableAnswer,
} from "./transport";
