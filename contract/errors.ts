/** The errors that the browser also reports by itself. It loads only this table. */
export const browserErrors = {
  UNAUTHORIZED: { status: 401, message: 'Войдите, чтобы продолжить.' },
  EDIT_PERIOD_EXPIRED: { status: 403, message: 'Время изменения записи истекло' },
  INTERNAL: { status: 500, message: 'Что-то пошло не так. Попробуйте ещё раз.' },
} as const;

/** Follows a message when the person does not know how long to wait. */
export const waitAdvice = ' Подождите немного и попробуйте ещё раз.';

/** The errors of the API, with their status and the message for responses without a more specific one. */
export const errors = {
  INVALID_REQUEST: { status: 400, message: 'Запрос составлен неверно. Проверьте введённые данные.' },
  USER_NOT_FOUND: { status: 400, message: 'Пользователь с таким адресом не найден.' },
  EMAIL_ALREADY_EXISTS: { status: 400, message: 'Этот адрес уже занят.' },
  INVALID_CONFIRM_CODE: { status: 400, message: 'Неверный код. Проверьте его и введите ещё раз.' },
  MAX_CONFIRM_ATTEMPTS: { status: 400, message: 'Попытки закончились. Запросите новый код.' },
  OPERATION_EXPIRED: { status: 400, message: 'Код больше не действует. Запросите новый.' },
  INVALID_USERNAME: { status: 400, message: 'Введите корректное имя пользователя' },
  USERNAME_ALREADY_EXISTS: { status: 400, message: 'Это имя уже занято.' },
  REGISTRATION_CLOSED: {
    status: 400,
    message: 'Нужно приглашение от модератора. Введите код, который вам дали.',
  },
  UNAUTHORIZED: browserErrors.UNAUTHORIZED,
  FORBIDDEN: { status: 403, message: 'Это действие вам недоступно.' },
  ACCOUNT_BLOCKED: { status: 403, message: 'Учётная запись заблокирована.' },
  CONFIRMATION_REQUIRED: { status: 403, message: 'Подтвердите, что это вы: запросите код на почту.' },
  DISCUSSION_CLOSED: { status: 403, message: 'Новые ответы здесь запрещены.' },
  EDIT_PERIOD_EXPIRED: browserErrors.EDIT_PERIOD_EXPIRED,
  NOT_FOUND: { status: 404, message: 'Ничего не найдено.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'По этому адресу запросы с таким методом не принимаются.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'Слишком большой запрос. Сократите его и отправьте снова.' },
  TOO_MANY_REQUESTS: { status: 429, message: `Слишком много запросов.${waitAdvice}` },
  INTERNAL: browserErrors.INTERNAL,
  UNAVAILABLE: { status: 503, message: 'Сервис временно недоступен. Попробуйте через минуту.' },
} as const satisfies Record<string, { status: number; message: string }>;

/** The status of ACCOUNT_BLOCKED in response to the right code of a sign-in. Forms show the message of errors with this status. */
export const blockedAtSignIn = 400;

export type ErrorCode = keyof typeof errors;

export interface ErrorBody {
  code: ErrorCode;
  message: string;
}
