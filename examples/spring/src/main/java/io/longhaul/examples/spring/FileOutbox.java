// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.spring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Sends invoices slowly: writes a line to a file for each one. */
@Component
class FileOutbox implements Outbox {

    private final Path file;
    private final long pause;

    FileOutbox(@Value("${invoices.outbox}") Path file, @Value("${invoices.pause-millis}") long pause) {
        this.file = file;
        this.pause = pause;
    }

    @Override
    public String send(String invoice) throws IOException, InterruptedException {
        Thread.sleep(pause);
        Files.writeString(file, invoice + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return "sent " + invoice;
    }
}
