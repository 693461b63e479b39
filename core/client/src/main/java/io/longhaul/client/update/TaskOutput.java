// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.update;

import io.longhaul.client.McpClientException;
import io.longhaul.client.request.QuestionRounds;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.requestor.call.Requestor;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Reads the partial output of one task from its beginning, and gives each piece once to the feed of the call. A server
 * of Longhaul keeps the output as a resource, and says with the last piece where those after it will be. New output is
 * no change of the task, so the resource is read again and again: soon after new output, else more and more seldom.
 * Thread-safe.
 */
public final class TaskOutput {

    private static final Logger log = LoggerFactory.getLogger(TaskOutput.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final String LINK = "text/uri-list";

    /** How many pages in a row may lead to the next one without a piece. */
    private static final int MOST_EMPTY_PAGES = 100;

    private final Requestor requestor;
    private final CallFeed feed;
    private final Semaphore hurry = new Semaphore(0);
    private @Nullable Thread reader;
    private volatile boolean ended;
    private volatile boolean unwanted;
    private volatile boolean closed;

    /**
     * @param next    where the pieces after those of this page are; null where the server does not say
     * @param goesOn  whether there are such pieces now
     * @param isEmpty whether the page has brought no piece
     */
    private record Page(@Nullable String next, boolean goesOn, boolean isEmpty) {}

    public TaskOutput(Requestor requestor, CallFeed feed) {
        this.requestor = requestor;
        this.feed = feed;
    }

    /** The server has named the resource of the output. Does not block. */
    public synchronized void isAt(String uri) {
        if (reader == null && !closed) {
            reader = Thread.ofVirtual().name("longhaul-client-output").start(() -> follow(uri));
        }
    }

    /** The task has ended: reads the rest. A server of Longhaul that has named no output is asked once more. */
    public void finish(String taskId) throws InterruptedException {
        if (mayBeUnknown()) {
            requestor.task(taskId).ifPresent(feed::seen);
        }
        ended = true;
        hurry.release();
        var last = reader();
        if (last != null) {
            last.join();
        }
    }

    /** The call is cancelled: where the task has ended, the rest is read no more. Does not block. */
    public void isUnwanted() {
        unwanted = true;
        var last = reader();
        if (ended && last != null) {
            last.interrupt();
        }
    }

    private boolean isOver() {
        return closed || (unwanted && ended);
    }

    private boolean mayBeUnknown() {
        return feed.mayLackOutput()
                && requestor.hello().tasks().creationKeys()
                && requestor.manner().follow().showsState();
    }

    /** Reads no more, and returns when nothing more is told. */
    public void close() {
        closed = true;
        var last = reader();
        if (last == null) {
            return;
        }
        last.interrupt();
        boolean isInterrupted = false;
        while (last.isAlive()) {
            try {
                last.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized @Nullable Thread reader() {
        return reader;
    }

    /** Reads page after page without a pause while each leads to the next one, and begins anew where they ended. */
    private void follow(String uri) {
        String next = uri;
        var begun = uri;
        var pause = FIRST_PAUSE;
        int emptyPages = 0;
        boolean isLast = ended;
        try {
            while (!isOver()) {
                var page = page(next, isLast);
                emptyPages = page.isEmpty() ? emptyPages + 1 : 0;
                if (emptyPages > MOST_EMPTY_PAGES) {
                    feed.trouble("The rest of the partial output is not read: more than " + MOST_EMPTY_PAGES
                            + " pages in a row brought no piece of it.");
                    return;
                }
                // A page that leads to itself would be read for ever without a pause.
                boolean goesOn = page.goesOn() && !next.equals(page.next());
                next = page.next();
                if (next == null || (isLast && !goesOn)) {
                    return;
                }
                if (!goesOn) {
                    pause = begun.equals(next) ? longer(pause) : FIRST_PAUSE;
                    await(pause);
                    begun = next;
                    emptyPages = 0;
                    isLast = ended;
                }
            }
        } catch (InterruptedException e) {
            log.debug("the output of a task is read no longer");
        } catch (RuntimeException e) {
            log.error("the output of a task is read no longer", e);
        }
    }

    private static Duration longer(Duration pause) {
        var doubled = pause.multipliedBy(2);
        return doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }

    private void await(Duration pause) throws InterruptedException {
        try (var alarm = requestor.settings().time().after(pause, hurry::release)) {
            hurry.acquire();
        }
    }

    /** Tells the pieces of a page; a page that cannot be read is read again. */
    private Page page(String uri, boolean isLast) {
        try {
            return page(uri);
        } catch (McpClientException e) {
            log.debug("the output at {} was not read", uri, e);
            if (isLast && !isOver()) {
                feed.trouble("The rest of the partial output could not be read: " + e.getMessage());
            }
            return new Page(uri, false, false);
        }
    }

    private Page page(String uri) {
        var contents = JsonTree.read(
                QuestionRounds.read(requestor, requestor.settings().answerer(), uri));
        String next = contents.isEmpty() ? uri : null;
        boolean goesOn = false;
        boolean isEmpty = true;
        for (var content : contents) {
            next = content.path(Meta.META).path(Meta.NEXT).asString(next);
            goesOn = content.path("mimeType").asString("").equals(LINK);
            if (!goesOn) {
                isEmpty = false;
                feed.part(part(content));
            }
        }
        return new Page(next, goesOn, isEmpty);
    }

    /** A piece as a result of a tool: a text as it is, and any other value as its structured content, too. */
    private static Json part(JsonNode content) {
        var text = content.path("text").asString("");
        var part = JsonTree.object();
        part.putArray("content").addObject().put("type", "text").put("text", text);
        if (content.path("mimeType").asString("").equals("application/json")) {
            part.set("structuredContent", JsonTree.read(Json.raw(text)));
        }
        return JsonTree.write(part);
    }
}
