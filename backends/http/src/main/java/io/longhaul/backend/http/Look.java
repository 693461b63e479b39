// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.engine.task.Progress;
import java.time.Duration;
import java.util.Optional;

/** What one look at a job has shown. */
sealed interface Look {

    /** It goes on. */
    record Working(Optional<Progress> progress, Optional<String> message, Optional<Duration> retryAfter)
            implements Look {}

    /** It is done. */
    record Done(ApiAnswer answer) implements Look {}

    /** It came to an end without a result, or the API says nothing of it any more. */
    record Failed(String why) implements Look {}

    /** Nothing can be told of it now. */
    record Trouble(String why, Optional<Duration> retryAfter) implements Look {}
}
