// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.backend.http.job.ApiJobHandle;
import io.longhaul.backend.http.job.JobRequests;
import io.longhaul.backend.http.request.ForeignOriginException;
import io.longhaul.engine.run.MessageText;
import io.longhaul.engine.run.PollPace;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.secret.SecretMask;
import io.longhaul.engine.task.Payload;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes partial output of the growing output of a job. The handle is saved before a piece is emitted, with the position
 * of the piece and its number, so that the next server can tell whether the piece was emitted. Not thread-safe.
 */
final class RunningOutput {

    private static final Logger LOG = LoggerFactory.getLogger(RunningOutput.class);
    private static final int PIECE = 64 << 10;
    private static final Duration LAST_READ = Duration.ofSeconds(10);
    private static final int UNSATISFIABLE = 416;

    private final HttpJobBackend jobs;
    private final Run run;
    private final JobRequests requests;
    private ApiJobHandle handle;
    private boolean isFull;
    private boolean isForeign;

    /** @param handle the handle with the job, as it is saved */
    RunningOutput(HttpJobBackend jobs, Run run, JobRequests requests, ApiJobHandle handle) {
        this.jobs = jobs;
        this.run = run;
        this.requests = requests;
        this.handle = handle;
    }

    /** Emits the complete lines that are new. */
    void advance() throws InterruptedException {
        read(false);
    }

    /** Emits the rest of the output of a job that has ended; without it where the API does not give it soon. */
    void finish() throws InterruptedException {
        var since = jobs.now();
        var pace = PollPace.of(null).troubled();
        while (!read(true)) {
            if (Duration.between(since, jobs.now()).compareTo(LAST_READ) >= 0) {
                LOG.warn("the last output of the job of task {} could not be read", run.id());
                return;
            }
            jobs.pause(run, jobs.next(pace, Optional.empty()), PollWait.NEVER);
            pace = pace.troubled();
        }
    }

    /** Emits what is new; false where the API does not give the output at present. */
    private boolean read(boolean isEnd) throws InterruptedException {
        var template = jobs.job.addresses().partial();
        if (template == null) {
            return true;
        }
        try {
            while (!isFull) {
                long from = handle.output().next(run.partialCount());
                var response = requests.output(template, from, PIECE);
                if (!response.isSuccess()) {
                    // A job may have no output yet, or none behind this position.
                    return response.isGone() || response.status() == UNSATISFIABLE;
                }
                boolean isFullPiece = response.body().length == PIECE;
                int length =
                        response.isCut() || !isEnd ? complete(response.body(), isFullPiece) : response.body().length;
                if (length > 0) {
                    emit(Arrays.copyOf(response.body(), length), from);
                }
                if (!response.isCut()) {
                    return true;
                }
                // Output that comes slowly is read on at the next poll, and after the end as long as lines come.
                if (!isFullPiece && !(isEnd && length > 0)) {
                    return false;
                }
            }
            return true;
        } catch (ForeignOriginException e) {
            if (!isForeign) {
                LOG.warn("the output of the job of task {} cannot be read: {}", run.id(), e.getMessage());
                isForeign = true;
            }
            return false;
        } catch (IOException e) {
            LOG.debug("the output of the job of task {} cannot be read", run.id(), e);
            return false;
        }
    }

    /** The length of the complete lines; where a line is longer than a piece, that of its complete characters. */
    private static int complete(byte[] bytes, boolean isFullPiece) {
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] != '\n') {
            length--;
        }
        return length > 0 || !isFullPiece ? length : MessageText.complete(bytes);
    }

    /** Emits a piece once. Output beyond the limit of the task is left out: the job goes on. */
    private void emit(byte[] piece, long from) throws IOException, InterruptedException {
        int end = piece[piece.length - 1] == '\n' ? piece.length - 1 : piece.length;
        var masked = SecretMask.of(
                        jobs.job.access().secrets(requests.values().call().caller()))
                .mask(Arrays.copyOf(piece, end));
        handle = handle.emitting(new ApiJobHandle.Emitted(from, run.partialCount() + 1, from + piece.length));
        run.saveHandle(handle.saved());
        try {
            run.partial(jobs.writer.partial(new String(masked, UTF_8)));
        } catch (RunException e) {
            isFull = true;
            run.log("warning", "http", Payload.ofText("\"The partial output ends here: it has reached its limit.\""));
        }
    }
}
