// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.handshake;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The first request of a host and its answer. A known request is answered from memory, and the server's own answer is
 * compared with that. The answer to any other request is learned. Thread-safe.
 */
final class FirstExchange {
    /** The longest first line that is read as a handshake; no host sends a longer one. */
    private static final int LONGEST = 16 * 1024;

    private final Path data;
    private final Path tools;
    private final List<String> line;
    private final CountDownLatch opened = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Written before {@link #opened} counts down, and read after it. */
    private @Nullable HandshakeFile file;

    private byte[] read = {};
    private int lineLength;
    private byte @Nullable [] sent;

    private volatile boolean learns = true;
    private volatile boolean refuted;

    /**
     * The exchange of one start.
     *
     * @param data  the data folder
     * @param tools the file of tools
     * @param line  the words of the command line
     */
    FirstExchange(Path data, Path tools, List<String> line) {
        this.data = data;
        this.tools = tools;
        this.line = List.copyOf(line);
    }

    /** Reads the first line, and answers it where its answer is known. */
    void open(InputStream in, OutputStream out) {
        try {
            var known = known();
            readLine(in);
            if (lineLength > 0) {
                answer(known, out);
            }
        } catch (IOException e) {
            // The server reads the streams next, and reports their error.
            LoggerFactory.getLogger(FirstExchange.class).debug("The first line was not read", e);
        } finally {
            opened.countDown();
        }
    }

    private List<KnownHandshake> known() {
        try {
            var found = new HandshakeFile(data, ServerMark.of(tools, line, System.getProperty("java.class.path")));
            file = found;
            return found.read();
        } catch (IOException e) {
            // The file of tools cannot be read: the server reports that.
            return List.of();
        }
    }

    private void readLine(InputStream in) throws IOException {
        var chunk = new byte[LONGEST];
        var all = new ByteArrayOutputStream();
        for (int count = in.read(chunk); count > 0; count = in.read(chunk)) {
            int end = lineEnd(chunk, count);
            if (end >= 0 && all.size() + end <= LONGEST) {
                lineLength = all.size() + end;
            }
            all.write(chunk, 0, count);
            read = all.toByteArray();
            if (end >= 0 || read.length >= LONGEST) {
                return;
            }
        }
    }

    private static int lineEnd(byte[] chunk, int count) {
        for (int i = 0; i < count; i++) {
            if (chunk[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private void answer(List<KnownHandshake> known, OutputStream out) throws IOException {
        var request = request();
        for (var one : known) {
            var answer = one.answerTo(request);
            if (answer != null) {
                var whole = Arrays.copyOf(answer, answer.length + 1);
                whole[answer.length] = '\n';
                out.write(whole);
                out.flush();
                sent = answer;
                return;
            }
        }
    }

    private byte[] request() {
        return Arrays.copyOf(read, lineLength);
    }

    /** The bytes that were read so far: the first line and perhaps more. Blocks until the first line was read. */
    byte[] read() throws InterruptedIOException {
        await(opened);
        return read;
    }

    /** The length of the first line with its line end; 0 where there is no usable line. */
    int firstLine() {
        return lineLength == 0 ? 0 : lineLength + 1;
    }

    /** Blocks, where the host got an answer from memory, until the server has given its own. */
    void awaitAnswer() throws InterruptedIOException {
        if (sent != null) {
            await(ended);
        }
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
    boolean compare(byte[] answer) throws IOException {
        read();
        if (sent == null) {
            return true;
        }
        if (!Arrays.equals(sent, answer)) {
            refuted = true;
            forget();
        }
        ended.countDown();
        return false;
    }

    void forget() {
        try {
            HandshakeFile.delete(data);
        } catch (IOException e) {
            LoggerFactory.getLogger(FirstExchange.class).warn("The known handshakes cannot be removed", e);
        }
    }

    /** Learns the server's answer, after the host got it. */
    void learn(byte[] answer) {
        var kept = file;
        if (!learns || kept == null || lineLength == 0) {
            return;
        }
        try {
            var learned = new HandshakeLearner().of(request(), answer);
            if (learned.isPresent()) {
                kept.add(learned.get());
            }
        } catch (IOException e) {
            LoggerFactory.getLogger(FirstExchange.class).debug("A handshake was not kept", e);
        }
    }

    void learnNothing() {
        learns = false;
    }

    /** Whether the host got an answer that differs from the server's. */
    boolean isRefuted() {
        return refuted;
    }
}
