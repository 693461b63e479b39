// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.handshake;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.longhaul.transport.StandardStreams;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The standard streams of a server that a host has started. Where an earlier start of the same server has answered the
 * same first request, the host gets that answer before the server is ready. The server still reads the request, and its
 * own answer is compared with the one that was sent. Where the two differ, the streams end. The answer to any other
 * first request is learned. Thread-safe.
 */
public final class HostStreams {
    /** The longest first line that is read as a handshake; no host sends a longer one. */
    private static final int LONGEST = 16 * 1024;

    private final Path data;
    private final Path tools;
    private final List<String> words;
    private final InputStream in;
    private final OutputStream out;
    private final HostInput input = new HostInput(this);
    private final HostOutput output;
    private final CountDownLatch opened = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Written before {@link #opened} counts down, and read after it. */
    private @Nullable HandshakeFile file;

    /** What the host has sent so far, at least to the end of its first line. */
    private String read = "";

    /** The first line without its end; empty where it is no usable line. */
    private String request = "";

    private InputStream line = InputStream.nullInputStream();
    private InputStream rest = InputStream.nullInputStream();
    private @Nullable String sent;

    private volatile boolean learns = true;
    private volatile boolean refuted;

    /**
     * The streams of one start.
     *
     * @param data  the data folder
     * @param tools the file of tools
     * @param words the words of the command line
     */
    HostStreams(Path data, Path tools, List<String> words, InputStream in, OutputStream out) {
        this.data = data;
        this.tools = tools;
        this.words = List.copyOf(words);
        this.in = in;
        this.out = out;
        output = new HostOutput(this, out);
    }

    /**
     * Takes the streams of this process, and begins to read.
     *
     * @param data  the data folder, which need not exist
     * @param tools the file of tools
     * @param words the words of the command line
     */
    public static HostStreams standard(Path data, Path tools, List<String> words) {
        var streams = StandardStreams.take();
        var host = new HostStreams(data, tools, words, streams.in(), streams.out());
        // A host usually sends its request before the JVM is up. It is answered before other work needs the processors.
        if (hasSpoken(streams.in())) {
            host.open();
        } else {
            Thread.ofPlatform().daemon().name("host-first").start(host::open);
        }
        return host;
    }

    private static boolean hasSpoken(InputStream in) {
        try {
            return in.available() > 0;
        } catch (IOException e) {
            // The next reader gets the same error.
            return false;
        }
    }

    public InputStream in() {
        return input;
    }

    public OutputStream out() {
        return output;
    }

    /** Reads the first line, and answers it where its answer is known. */
    void open() {
        try {
            var known = known();
            readLine();
            answer(known);
        } catch (IOException e) {
            // The server reads the streams next, and reports their error.
            LoggerFactory.getLogger(HostStreams.class).debug("The first line was not read", e);
        } finally {
            var all = read.getBytes(ISO_8859_1);
            int first = request.isEmpty() ? 0 : request.length() + 1;
            line = new ByteArrayInputStream(all, 0, first);
            rest = new SequenceInputStream(new ByteArrayInputStream(all, first, all.length - first), in);
            opened.countDown();
        }
    }

    private List<KnownHandshake> known() {
        try {
            var found = new HandshakeFile(data, ServerMark.of(tools, words, System.getProperty("java.class.path")));
            file = found;
            return found.read();
        } catch (IOException e) {
            // The file of tools cannot be read: the server reports that.
            return List.of();
        }
    }

    private void readLine() throws IOException {
        var chunk = new byte[LONGEST];
        int count;
        do {
            count = in.read(chunk);
            read += new String(chunk, 0, Math.max(0, count), ISO_8859_1);
        } while (count > 0 && read.indexOf('\n') < 0 && read.length() < LONGEST);
        int end = read.indexOf('\n');
        request = end > LONGEST ? "" : read.substring(0, Math.max(0, end));
    }

    private void answer(List<KnownHandshake> known) throws IOException {
        for (var one : known) {
            var answer = one.answerTo(request);
            if (answer.isPresent()) {
                out.write((answer.get() + "\n").getBytes(ISO_8859_1));
                out.flush();
                sent = answer.get();
                return;
            }
        }
    }

    /** The first line with its end; nothing where it is not usable. Blocks until it was read. */
    InputStream line() throws InterruptedIOException {
        await(opened);
        return line;
    }

    /**
     * What the host says behind its first line; nothing where it was answered otherwise. Blocks, where it was answered
     * from memory, until the server has given its own answer.
     */
    InputStream rest() throws InterruptedIOException {
        if (sent != null) {
            await(ended);
        }
        return refuted ? InputStream.nullInputStream() : rest;
    }

    private static void await(CountDownLatch latch) throws InterruptedIOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    /** Compares the server's answer with the answer from memory; gives whether the host still needs the former. */
    boolean compare(String answer) throws IOException {
        await(opened);
        if (sent == null) {
            return true;
        }
        if (!sent.equals(answer)) {
            refuted = true;
            forget();
        }
        ended.countDown();
        return false;
    }

    private void forget() {
        try {
            HandshakeFile.delete(data);
        } catch (IOException e) {
            LoggerFactory.getLogger(HostStreams.class).warn("The known handshakes cannot be removed", e);
        }
    }

    /** Learns the server's answer, after the host got it. */
    void learn(String answer) {
        var kept = file;
        if (!learns || kept == null || request.isEmpty()) {
            return;
        }
        try {
            var learned = HandshakeLearner.of(request, answer);
            if (learned.isPresent()) {
                kept.add(learned.get());
            }
        } catch (IOException e) {
            LoggerFactory.getLogger(HostStreams.class).debug("A handshake was not kept", e);
        }
    }

    /** Learns nothing: another process answers this host from now on, so its answer does not describe this server. */
    public void relayed() {
        learns = false;
    }

    /** Learns nothing and removes known handshakes: the data folder is sealed, and the file of handshakes is not. */
    public void sealed() {
        learns = false;
        forget();
    }

    /**
     * Checks, after the server has ended, that the host got the right answer.
     *
     * @throws IOException with a sentence for the user where the host got an answer that differs from the server's
     */
    public void verify() throws IOException {
        if (refuted) {
            throw new IOException("the host was answered from memory, and this server answers otherwise now. That is"
                    + " forgotten: let the host start this server again.");
        }
    }

    /** Whether the host got an answer that differs from the server's. */
    boolean isRefuted() {
        return refuted;
    }
}
