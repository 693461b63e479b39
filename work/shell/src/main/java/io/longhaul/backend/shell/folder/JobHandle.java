// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.folder;

import io.longhaul.engine.task.Payload;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The handle of a task's job: the present attempt at the command, and whether that attempt may have begun.
 *
 * @param attempt   the number of the attempt, counted from 1; earlier attempts have ended
 * @param boot      the boot of the machine during which the attempt was about to begin; empty while it certainly has
 *                  not begun
 * @param notBefore the earliest time of the attempt; empty for at once
 */
public record JobHandle(int attempt, Optional<String> boot, Optional<Instant> notBefore) {

    private static final JobHandle FIRST = new JobHandle(1, Optional.empty(), Optional.empty());
    private static final String NO_BOOT = "waits";

    /** BOOT, BOOT ATTEMPT, or "waits" ATTEMPT MILLISECONDS. */
    private static final Pattern FORM = Pattern.compile("(\\S+)(?: (\\d{1,9}))?(?: (\\d{1,18}))?");

    public static JobHandle of(Optional<Payload> saved) {
        var form = FORM.matcher(saved.map(Payload::text).orElse(""));
        if (!form.matches()) {
            return FIRST;
        }
        int attempt = form.group(2) == null ? 1 : Integer.parseInt(form.group(2));
        return form.group(1).equals(NO_BOOT) && form.group(3) != null
                ? waiting(attempt, Instant.ofEpochMilli(Long.parseLong(form.group(3))))
                : new JobHandle(attempt, Optional.of(form.group(1)), Optional.empty());
    }

    public static JobHandle waiting(int attempt, Instant notBefore) {
        return new JobHandle(attempt, Optional.empty(), Optional.of(notBefore));
    }

    public JobHandle beginning(String boot) {
        return new JobHandle(attempt, Optional.of(boot), Optional.empty());
    }

    public Payload saved() {
        var first = boot.orElse(NO_BOOT) + (attempt == 1 ? "" : " " + attempt);
        return Payload.ofText(
                notBefore.map(at -> first + " " + at.toEpochMilli()).orElse(first));
    }
}
