// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.fakes.MemoryTransport;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an application tells itself at other nodes. */
@Timeout(60)
class ToldByNodeTest {

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> heardByOther = new LinkedBlockingQueue<>();

    /** What one node has of a database: its end is not that of the database. */
    private static final class Connection extends ForwardingStore {
        Connection(TaskStore store) {
            super(store);
        }

        @Override
        public void close() {}
    }

    private static McpServer node(MemoryTaskStore store, BlockingQueue<String> heard) {
        return McpServer.builder("node", "1.0")
                .store(new Connection(store))
                .onToldByNode(heard::add)
                .serve(new MemoryTransport());
    }

    @Test
    void what_one_node_tells_each_other_one_hears_and_the_node_itself_does_not() throws Exception {
        var store = MemoryTaskStore.shared();
        try (var one = node(store, heard);
                var other = node(store, heardByOther)) {
            one.tellOtherNodes("a \"job\"");
            assertThat(heardByOther.take()).isEqualTo("a \"job\"");
            other.tellOtherNodes("back");
            assertThat(heard.take()).isEqualTo("back");
        }
        assertThat(heard).isEmpty();
        assertThat(heardByOther).isEmpty();
    }

    @Test
    void a_server_without_others_tells_nobody() {
        try (var alone = node(new MemoryTaskStore(), heard)) {
            alone.tellOtherNodes("hello");
        }
        assertThat(heard).isEmpty();
    }
}
