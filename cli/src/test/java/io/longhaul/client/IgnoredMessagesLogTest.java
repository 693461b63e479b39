// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.ClientTransport;
import io.longhaul.protocol.transport.RequestAuthorizer;
import io.longhaul.protocol.transport.TransportException;
import io.longhaul.requestor.HostedRows;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.Timeouts;
import io.longhaul.requestor.connect.Connector;
import io.longhaul.requestor.exchange.RequestListener;
import io.longhaul.server.LogLines;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the log of a client says of a server that sends what makes no sense. */
class IgnoredMessagesLogTest {

    @Test
    void twenty_messages_that_make_no_sense_are_logged_and_no_more() {
        try (var lines = new LogLines("io.longhaul.requestor.connect");
                var connector = new Connector(IgnoredMessagesLogTest::noTransport, settings())) {
            connector.use(ClientDialects.newestHandshake(), null);
            say(connector, 19);
            assertThat(lines.all())
                    .hasSize(19)
                    .noneMatch(line -> line.getFormattedMessage().contains("is not logged"));
            say(connector, 10);
            assertThat(lines.all()).hasSize(20);
            assertThat(lines.all().getLast().getFormattedMessage()).contains("is not logged");
        }
    }

    private static RequestorSettings settings() {
        return new RequestorSettings(
                Json.EMPTY_OBJECT,
                new HandlerAnswerer(QuestionHandler.NONE, HostedRows.NONE),
                Timeouts.DEFAULT,
                SystemRequestorTime.INSTANCE,
                Optional.empty(),
                RequestAuthorizer.NONE);
    }

    private static ClientTransport noTransport() throws TransportException {
        throw new TransportException(TransportException.Kind.UNREACHABLE, "nothing is sent here");
    }

    private static void say(Connector connector, int times) {
        for (int i = 0; i < times; i++) {
            connector.request(
                    new JsonRpcMessage.Request(new RequestId.Number(i), "ping", Json.EMPTY_OBJECT),
                    RequestListener.NONE);
        }
    }
}
