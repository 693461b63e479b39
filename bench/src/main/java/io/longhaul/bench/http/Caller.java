package io.longhaul.bench.http;

import io.longhaul.bench.http.Scenario.Era;
import io.longhaul.bench.http.Scenario.Step;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** One connection of the load generator, on which one request follows the answer to the one before. For one thread. */
final class Caller {

    private static final String CLIENT = "{\"name\":\"bench\",\"version\":\"1\"}";
    private static final int LISTED = 50;

    private final Scenario scenario;
    private final String host;
    private final SocketChannel channel;
    private final ResponseBytes response = new ResponseBytes();
    private final RequestBytes[] requests;
    private final byte[][] expected;
    private String session = "";
    private String task = "";
    private int step;
    private long number;
    private long begun;

    Caller(Scenario scenario, URI server) throws IOException {
        this.scenario = scenario;
        host = server.getAuthority();
        channel = SocketChannel.open(new InetSocketAddress(server.getHost(), server.getPort()));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        requests = new RequestBytes[scenario.steps().size()];
        expected = scenario.steps().stream()
                .map(one -> one.expected().getBytes(StandardCharsets.US_ASCII))
                .toArray(byte[][]::new);
    }

    /** Opens a session, and has the tasks made that the scenario is about. */
    void prepare(boolean first) throws IOException {
        if (scenario != Scenario.BARE) {
            prepareTasks(first);
        }
        for (var i = 0; i < requests.length; i++) {
            requests[i] = bytes(scenario.era(), scenario.steps().get(i));
        }
    }

    private void prepareTasks(boolean first) throws IOException {
        session = once(Era.SESSION, new Step("initialize", "", handshake(), "")).between("Mcp-Session-Id: ", "\r\n");
        switch (scenario.task()) {
            case NONE -> {}
            case LIVE -> create("endless");
            case FINISHED -> finish();
            case FIFTY -> {
                for (var made = 0; first && made < LISTED; made++) {
                    finish();
                }
            }
        }
    }

    private static String handshake() {
        return "\"protocolVersion\":\"" + Era.SESSION.version() + "\",\"capabilities\":{\"elicitation\":{}},"
                + "\"clientInfo\":" + CLIENT;
    }

    private void create(String tool) throws IOException {
        task = once(Era.SESSION, Step.create(tool)).between("\"taskId\":\"", "\"");
    }

    private void finish() throws IOException {
        create("instant");
        once(Era.SESSION, Step.result());
    }

    private ResponseBytes once(Era era, Step what) throws IOException {
        var arrived = ByteBuffer.allocate(1 << 16);
        send(bytes(era, what));
        while (!response.read(channel, arrived)) {
            // More is to come.
        }
        check(what.expected().getBytes(StandardCharsets.US_ASCII));
        return response;
    }

    private void check(byte[] wanted) {
        if (!response.isGood(wanted)) {
            throw new IllegalStateException("a request was answered with " + response);
        }
    }

    private RequestBytes bytes(Era era, Step what) {
        var about = what.about(task);
        var headers = "MCP-Protocol-Version: " + era.version() + "\r\n";
        var params = about.params();
        if (era == Era.SESSION) {
            headers = session.isEmpty() ? "" : headers + "Mcp-Session-Id: " + session + "\r\n";
        } else {
            headers += "Mcp-Method: " + about.method() + "\r\nMcp-Name: " + about.name() + "\r\n";
            params += ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" + era.version()
                    + "\",\"io.modelcontextprotocol/clientInfo\":" + CLIENT
                    + ",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{},\"extensions\":"
                    + "{\"io.modelcontextprotocol/tasks\":{}}}}";
        }
        return new RequestBytes(host, headers, "\"method\":\"" + about.method() + "\",\"params\":{" + params + "}");
    }

    /** Tells the selector to run {@link #answered} whenever something arrives. */
    void register(Selector selector) throws IOException {
        channel.configureBlocking(false).register(selector, SelectionKey.OP_READ, this);
    }

    /** Begins the scenario anew. */
    void begin() throws IOException {
        step = 0;
        begun = System.nanoTime();
        send(requests[0]);
    }

    private void send(RequestBytes request) throws IOException {
        response.clear();
        var bytes = request.numbered(++number);
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /**
     * Takes what has arrived, and goes on to the next step.
     *
     * @return how long the scenario took, in nanoseconds, where this was the end of it; else -1
     */
    long answered(ByteBuffer arrived) throws IOException {
        if (!response.read(channel, arrived)) {
            return -1;
        }
        check(expected[step]);
        if (scenario.steps().get(step).creates() && step + 1 < requests.length) {
            task = response.between("\"taskId\":\"", "\"");
            for (var next = step + 1; next < requests.length; next++) {
                requests[next] = bytes(scenario.era(), scenario.steps().get(next));
            }
        }
        step++;
        if (step == requests.length) {
            return System.nanoTime() - begun;
        }
        send(requests[step]);
        return -1;
    }
}
