// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.spring;

import java.util.concurrent.CountDownLatch;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** The application with an outbox that takes some invoices and never comes to the next one. */
class JammedApplication {

    public static void main(String[] args) {
        SpringApplication.run(new Class<?>[] {InvoicesApplication.class, JammedApplication.class}, args);
    }

    @Bean
    @Primary
    Outbox jammed(FileOutbox outbox, @Value("${jam.after}") int most) {
        return invoice -> {
            if (Integer.parseInt(invoice.replaceFirst(".*/", "")) > most) {
                new CountDownLatch(1).await();
            }
            return outbox.send(invoice);
        };
    }
}
