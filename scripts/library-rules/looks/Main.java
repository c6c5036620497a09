import java.awt.image.BufferedImage;
import javax.swing.*;
import com.jgoodies.looks.plastic.*;

/** A look and feel, whose delegates Swing makes by the names in its table. */
public class Main {
    public static void main(String[] args) throws Exception {
        System.setProperty("java.awt.headless", "true");
        UIManager.setLookAndFeel(new Plastic3DLookAndFeel());
        for (JComponent component : new JComponent[] {new JButton("b"), new JTree(), new JSlider(), new JComboBox<String>(), new JTabbedPane(), new JScrollPane()}) {
            System.out.println(component.getUIClassID() + " " + UIManager.getUI(component).getClass().getName());
        }
    }
}
