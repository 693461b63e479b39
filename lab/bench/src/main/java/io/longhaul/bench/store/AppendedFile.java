// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/** The least cost of a durable write: appends records to a file, with one sync for all waiting threads. Thread-safe. */
final class AppendedFile implements AutoCloseable {

    private record Waiting(int bytes, CompletableFuture<Void> written) {}

    private final BlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();
    private final FileChannel channel;

    AppendedFile(Path file) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Thread.ofPlatform().daemon().start(this::write);
    }

    /** Appends a number of bytes, and returns when they are on the disk. */
    void append(int bytes) {
        var waiting = new Waiting(bytes, new CompletableFuture<>());
        queue.add(waiting);
        waiting.written().join();
    }

    private void write() {
        var group = new ArrayList<Waiting>();
        try {
            while (true) {
                group.add(queue.take());
                queue.drainTo(group);
                var bytes = ByteBuffer.allocate(
                        group.stream().mapToInt(Waiting::bytes).sum());
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(false);
                group.forEach(waiting -> waiting.written().complete(null));
                group.clear();
            }
        } catch (IOException | InterruptedException e) {
            group.forEach(waiting -> waiting.written().completeExceptionally(e));
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
