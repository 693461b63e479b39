// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import io.longhaul.cli.answer.FormDialogue;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.Problem;
import io.longhaul.cli.terminal.KeyReader;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.terminal.Tty.WindowEvent;
import io.longhaul.cli.terminal.UserConsole;
import io.longhaul.cli.terminal.Window;
import io.longhaul.cli.top.view.TopFrame;
import io.longhaul.cli.top.view.TopKeys;
import io.longhaul.cli.top.view.TopKeys.Act;
import io.longhaul.cli.top.view.TopState;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Keeps the window up to date. The thread of the loop has the state and draws; all others send it events. */
final class TopLoop {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Terminal terminal;
    private final TopServer server;
    private final InstantSource clock;
    private final Duration interval;
    private final QuestionHandler person;
    private final EventQueue events = new EventQueue();
    private final Semaphore mayRead = new Semaphore(0);
    private TopState state;
    private volatile @Nullable Thread asking;

    /** @param interval the pause between two reads of all tasks */
    TopLoop(Terminal terminal, TopServer server, TopState state, InstantSource clock, Duration interval) {
        this.terminal = terminal;
        this.server = server;
        this.state = state;
        this.clock = clock;
        this.interval = interval;
        var dialogue = new FormDialogue(UserConsole.at(terminal));
        this.person = QuestionHandler.NONE
                .forms(form -> leftOpen(dialogue.form(form)))
                .links(link -> leftOpen(dialogue.link(link)));
    }

    /** Closing a question here does not answer it: the task goes on waiting. */
    private static Reply leftOpen(Reply reply) {
        return reply instanceof Reply.Dismissed ? new Reply.LeftOpen() : reply;
    }

    /** Ends the loop, as Ctrl-C does. Any thread can call this. */
    void interrupt() {
        events.add(new TopEvent.Over(ExitCode.INTERRUPTED));
        var asks = asking;
        if (asks != null) {
            asks.interrupt();
        }
    }

    /**
     * Shows the window until the user leaves.
     *
     * @return the exit code
     * @throws Problem where the terminal cannot give single keys
     */
    int run() throws IOException, InterruptedException {
        try (var window = new Window(terminal, happening -> events.add(new TopEvent.Happened(happening)))) {
            open(window);
            Thread.ofPlatform().daemon().name("top-keys").start(this::readKeys);
            mayRead.release();
            try (var watch = new TopWatch(server, state.board().snapshot(), interval, events::add)) {
                return untilOver(window, watch);
            }
        }
    }

    private static void open(Window window) {
        try {
            window.open();
        } catch (IOException e) {
            throw new Problem(
                    Problem.Kind.UNSUPPORTED,
                    "this terminal gives no single keys (" + e.getMessage() + "). --once prints the tasks once.");
        }
    }

    private int untilOver(Window window, TopWatch watch) throws IOException, InterruptedException {
        while (true) {
            window.draw(TopFrame.of(state, clock.instant(), window.size()));
            var event = events.next(SECOND);
            switch (event) {
                case null -> {
                    // A second has passed, so the shown ages change.
                }
                case TopEvent.Over(int exitCode) -> {
                    return exitCode;
                }
                case TopEvent.Pressed(var key) -> {
                    var pressed = TopKeys.press(state, key);
                    state = pressed.state();
                    act(pressed.act(), window, watch);
                    mayRead.release();
                }
                case TopEvent.Happened(var happening) -> happened(happening, window);
                case TopEvent.Looked(var snapshot) ->
                    state = state.with(state.board().with(snapshot));
                case TopEvent.Followed(var detail) -> state = state.opened(detail);
                case TopEvent.Done(var note) -> {
                    state = state.saying(note);
                    watch.lookNow();
                }
            }
        }
    }

    private static void happened(WindowEvent happening, Window window) throws IOException {
        switch (happening) {
            case RESIZED -> window.measure();
            case STOPPING -> window.stop();
            case CONTINUED -> window.renew();
        }
    }

    private void act(Act act, Window window, TopWatch watch) throws IOException {
        switch (act) {
            case Act.Nothing nothing -> {}
            case Act.Quit quit -> events.add(new TopEvent.Over(ExitCode.OK));
            case Act.Open(var task) -> watch.follow(task);
            case Act.Close close -> watch.leave();
            case Act.Answer(var id) -> answer(id, window);
            case Act.Cancel(var id) -> watch.act(() -> server.cancel(id));
            case Act.Retry(var id) -> watch.act(() -> server.retry(id));
            case Act.Purge(var ids) -> watch.act(() -> server.purge(ids));
        }
    }

    /** Lets a person answer in the normal terminal, below its earlier contents. */
    private void answer(String id, Window window) throws IOException {
        window.close();
        asking = Thread.currentThread();
        try {
            events.add(new TopEvent.Done(TopWatch.note(() -> server.answer(id, person))));
        } finally {
            asking = null;
            var unused = Thread.interrupted();
            window.open();
        }
    }

    /** Reads a key after the earlier key was handled, because a dialogue reads the same input. */
    private void readKeys() {
        var reader = new KeyReader(terminal.in());
        try {
            while (true) {
                mayRead.acquire();
                var key = reader.next();
                if (key.isEmpty()) {
                    break;
                }
                events.add(new TopEvent.Pressed(key.get()));
            }
        } catch (IOException e) {
            // The terminal is gone, which counts as the end of the input.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        events.add(new TopEvent.Over(ExitCode.OK));
    }
}
