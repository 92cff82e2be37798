export {
  ArgumentError,
  CancelledError,
  ConfigurationError,
  ConnectionError,
  HttpError as ApiError,
  type HttpErrorCode as ApiErrorCode,
  type HttpErrorDetails as ApiErrorDetails,
  type RequestInfo,
  StatusError,
  UnexpectedAnswerError,
} from "../http";
