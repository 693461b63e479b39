package io.longhaul.requestor.connect;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.ClientTransport;
import io.longhaul.protocol.transport.ServerEvent;
import io.longhaul.protocol.transport.ServerReply;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A transport over HTTP whose server is a function from a message to its answer; null is taken without one. */
record ScriptedTransport(Function<String, @Nullable String> server) implements ClientTransport {

    @Override
    public boolean isLasting() {
        return false;
    }

    @Override
    public ServerReply send(Json message, Map<String, String> headers) {
        return new Reply(server.apply(message.toString()));
    }

    @Override
    public ServerReply listen(Map<String, String> headers) {
        return new Reply(null);
    }

    @Override
    public ServerReply leave(Map<String, String> headers) {
        return new Reply(null);
    }

    @Override
    public void close() {}

    private static final class Reply implements ServerReply {
        private final int status;
        private @Nullable String answer;

        Reply(@Nullable String answer) {
            this.answer = answer;
            status = answer == null ? 202 : 200;
        }

        @Override
        public int status() {
            return status;
        }

        @Override
        public Optional<String> header(String name) {
            return Optional.empty();
        }

        @Override
        public Optional<ServerEvent> next() {
            var next = Optional.ofNullable(answer)
                    .map(text -> new ServerEvent(null, null, text.getBytes(StandardCharsets.UTF_8)));
            answer = null;
            return next;
        }

        @Override
        public void close() {}
    }
}
