import java.io.*;
import java.util.*;
import javax.mail.*;
import javax.mail.internet.*;

/** Messages with parts, whose handlers are found by their types, and transports by their protocols. */
public class Main {
    public static void main(String[] args) throws Exception {
        Session session = Session.getInstance(new Properties());
        MimeMessage message = new MimeMessage(session);
        message.setSubject("subject");
        MimeMultipart parts = new MimeMultipart();
        MimeBodyPart text = new MimeBodyPart();
        text.setText("text");
        parts.addBodyPart(text);
        MimeBodyPart html = new MimeBodyPart();
        html.setContent("<b>bold</b>", "text/html");
        parts.addBodyPart(html);
        message.setContent(parts);
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        message.writeTo(to);
        MimeMessage read = new MimeMessage(session, new ByteArrayInputStream(to.toByteArray()));
        MimeMultipart content = (MimeMultipart) read.getContent();
        System.out.println(content.getCount() + " " + content.getBodyPart(1).getContent());
        System.out.println(session.getTransport("smtp").getClass().getName() + " " + session.getStore("imap").getClass().getName());
    }
}
