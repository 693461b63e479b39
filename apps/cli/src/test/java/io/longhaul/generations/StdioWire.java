// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client over standard input and output: one message on each line. */
final class StdioWire extends Wire {

    private final OutputStream out;

    StdioWire(InputStream in, OutputStream out) {
        this.out = out;
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines();
        Thread.ofPlatform()
                .daemon()
                .start(() -> lines.forEach(line -> came.put(JsonMapper.shared().readTree(line))));
    }

    @Override
    void send(JsonNode message) {
        try {
            out.write((message + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void giveUp(int request) {
        send(Talk.json("{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':%d}}", request));
    }

    @Override
    Wire again(Place after) {
        throw new UnsupportedOperationException("a connection ends with its server");
    }

    @Override
    Wire rereadAs(String subject, int request) {
        throw new UnsupportedOperationException("nothing is read twice from a pipe");
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
