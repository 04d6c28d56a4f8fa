// Asks PAM about an account of this machine.

import CPAM
import Glibc

/// The accounts of this machine, as PAM and the name service know them.
enum MachineAccount {
    enum Answer: String {
        case yes, no
        /// PAM cannot check passwords now.
        case error

        var exitCode: Int32 {
            switch self {
            case .yes: 0
            case .no: 1
            case .error: 75
            }
        }
    }

    /// The name of the service: PAM reads `/etc/pam.d/printq`.
    private static let service = "printq"

    /// Returns whether an account has a password, is not expired, and may log in now.
    ///
    /// Root is always refused: nobody should guess its password over a network. The name must be the exact name of the
    /// account, because some name services ignore case, and jobs belong to exact names.
    static func answer(to request: Request) -> Answer {
        let code = check(request)
        switch code {
        case PAM_SUCCESS: return isExactUser(request.name) ? .yes : .no
        case PAM_AUTH_ERR, PAM_USER_UNKNOWN, PAM_MAXTRIES, PAM_ACCT_EXPIRED, PAM_NEW_AUTHTOK_REQD, PAM_PERM_DENIED,
            PAM_CRED_EXPIRED, PAM_AUTHTOK_EXPIRED, PAM_CRED_INSUFFICIENT:
            return .no
        default: return .error
        }
    }

    private static func isExactUser(_ name: String) -> Bool {
        guard let entry = getpwnam(name) else { return false }
        return entry.pointee.pw_uid != 0 && String(cString: entry.pointee.pw_name) == name
    }

    private static func check(_ request: Request) -> Int32 {
        guard let secret = strdup(request.password) else { return PAM_BUF_ERR }
        defer {
            explicit_bzero(secret, strlen(secret))
            free(secret)
        }
        var conversation = pam_conv(conv: answerPrompts, appdata_ptr: secret)
        var handle: OpaquePointer?
        let start = pam_start(service, request.name, &conversation, &handle)
        guard start == PAM_SUCCESS, let handle else { return start }
        pam_set_item(handle, PAM_RHOST, request.address)
        // printd limits guesses, and a delay would block the checks of other clients.
        pam_set_item(handle, PAM_FAIL_DELAY, unsafeBitCast(skipDelay as DelayFunction, to: UnsafeRawPointer.self))
        let flags = Int32(PAM_SILENT) | Int32(PAM_DISALLOW_NULL_AUTHTOK)
        var code = pam_authenticate(handle, flags)
        if code == PAM_SUCCESS { code = pam_acct_mgmt(handle, flags) }
        pam_end(handle, code)
        return code
    }
}

private typealias DelayFunction = @convention(c) (Int32, UInt32, UnsafeMutableRawPointer?) -> Void

/// Does nothing instead of the delay after a wrong password (`pam_fail_delay(3)`).
private func skipDelay(status: Int32, microseconds: UInt32, secret: UnsafeMutableRawPointer?) {}

/// Answers each prompt without an echo with the password (`pam_conv(3)`); other prompts get an empty answer.
///
/// The answers are allocated with malloc, and PAM frees them.
private func answerPrompts(
    count: Int32, messages: UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
    answers: UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?, secret: UnsafeMutableRawPointer?
) -> Int32 {
    guard count > 0, count <= PAM_MAX_NUM_MSG, let messages, let answers, let secret,
        let list = calloc(Int(count), MemoryLayout<pam_response>.stride)?.assumingMemoryBound(to: pam_response.self)
    else { return PAM_CONV_ERR }
    for index in 0..<Int(count) {
        switch messages[index]?.pointee.msg_style {
        case PAM_PROMPT_ECHO_OFF: list[index].resp = strdup(secret.assumingMemoryBound(to: CChar.self))
        case PAM_PROMPT_ECHO_ON: list[index].resp = strdup("")
        default: break
        }
    }
    answers.pointee = list
    return PAM_SUCCESS
}
